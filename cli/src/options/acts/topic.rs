//! `turnpike help COMMAND TOPOLOGY`: the options that apply to one topology or kind of fabric.

use super::kind::{CHANNELS, Kind, words_of_channels};
use super::{Rule, When, is_size, rule};
use crate::{busses, circuits, words};
use anyhow::{anyhow, bail};
use clap::{Arg, Command};
use turnpike_network::topology;

/// Topology or kind of fabric that help is asked on.
struct Topic {
    /// Kinds of fabric that there may be.
    kinds: Vec<Kind>,
    /// Options of the network's size in words; `None` where the topology is open.
    sizes: Option<String>,
}

impl Topic {
    /// Topic of this name, for a command that takes busses or does not.
    fn named(name: &str, takes_busses: bool) -> anyhow::Result<Self> {
        if let Some(kind) = CHANNELS.iter().copied().find(|kind| kind.word() == name) {
            return Ok(Self { kinds: vec![kind], sizes: None });
        }
        if let Some(kind) = busses::TOPOLOGIES.iter().find(|kind| kind.name == name) {
            if !takes_busses {
                busses::refuse_name(name)?;
            }
            let kinds = Kind::of_busses(name).into_iter().collect();
            return Ok(Self { kinds, sizes: Some(kind.size.to_owned()) });
        }
        let kind = topology::find(name)
            .map_err(|error| anyhow!("{error}; or ask on a kind: {}", words_of_channels()))?;
        let mut kinds = vec![Kind::Switched, Kind::Slotted];
        kinds.extend(circuits::is_network(kind.name).then_some(Kind::Circuit));
        Ok(Self { kinds, sizes: Some(words::size::options(kind.sizes)) })
    }

    /// Whether an option of a command applies.
    fn takes(&self, command: &str, arg: &Arg, rule: &Rule) -> bool {
        let size = |sizes: &str| {
            let long = format!("--{}", arg.get_long().unwrap_or_default());
            sizes.split([' ', '[']).any(|word| word == long)
        };
        // What names the network itself: its size, or its file.
        let is_named = self.sizes.as_deref().is_none_or(|sizes| {
            let id = arg.get_id().as_str();
            let says_size = is_size(id) || OF_FUNNELS.contains(&id);
            let says_file = rule.all_idle().any(|idle| matches!(idle.when, [When::NoFile]));
            if says_size { size(sizes) } else { !says_file && rule.id != "as_format" }
        });
        // One kind is no choice.
        let is_choice = rule.id != "kind" || self.kinds.len() > 1 || self.sizes.is_none();
        let acts = |kind: &&Kind| rule.idle_always_in(command, **kind).is_none();
        let mut kinds = self.kinds.iter().filter(|kind| kind.is_in(command));
        is_named && is_choice && kinds.any(|kind| acts(&kind))
    }
}

/// Options of the size of split&hash networks, which is that of no topology of channels.
const OF_FUNNELS: &[&str] = &["side", "factor"];

/// Help of a command on the options that apply to a topology or a kind of fabric alone.
///
/// # Errors
/// A name that is neither; a command that takes no network, or none of busses.
pub fn help(program: &mut Command, command: &str, topic: &str) -> anyhow::Result<String> {
    program.build();
    let known = crate::usage::unknown_command(program, command);
    let subcommand = program.find_subcommand_mut(command).ok_or(known)?;
    let has = |id: &str| subcommand.get_arguments().any(|arg| arg.get_id() == id);
    if !has("topology") {
        bail!("`{command}` takes no network; use `turnpike help {command}`");
    }
    let asked = Topic::named(topic, has("side"))?;
    let applies = |arg: &Arg| {
        let rule = rule(arg.get_id().as_str()).filter(|_| arg.get_long().is_some());
        rule.is_none_or(|rule| asked.takes(command, arg, rule))
    };
    let mut shown = subcommand.clone().mut_args(|arg| {
        let hidden = !applies(&arg);
        arg.hide(hidden)
    });
    Ok(format!("Options for {topic} alone.\n\n{}", shown.render_long_help()))
}
