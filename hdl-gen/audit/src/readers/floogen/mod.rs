//! FlooNoC networks as FlooGen writes them: the top module with its routers and network interfaces,
//! and the tables in it; those of source routing are in the package, which is the file of the routes.
//!
//! The links `req` and `rsp` are networks of their own, and so is `wide` where there is one: each is a
//! message class. Managers send requests to subordinates, these send responses, and both send on
//! `wide`.

mod parse;
mod ways;

use super::error::{Fault, File, ReadError};
use super::{Inputs, Reading};
use crate::model::Routed;
use crate::traffic::Traffic;
use parse::{End, Top, syntax};
use rustc_hash::FxHashMap;
use turnpike_network::description::{Builder, LooseEnd};
use turnpike_network::flows::MessageClass;
use ways::{SOURCE, Ways, tables};

pub(super) fn read(inputs: &Inputs<'_>) -> Result<Reading, ReadError> {
    let text =
        std::str::from_utf8(inputs.network.bytes).map_err(|_| Fault::Binary.of(File::Network))?;
    let top = Top::read(text)?;
    let package = match inputs.routes {
        Some(routes) => {
            std::str::from_utf8(routes.bytes).map_err(|_| Fault::Binary.of(File::Routes))?
        }
        None => "",
    };
    let networks = 2 + usize::from(top.has_wide);
    let readers = top.readers();
    let mut builder = Builder::default();
    for router in &top.routers {
        builder.node(router.name).map_err(|fault| syntax(1, fault.to_string()))?;
    }
    let mut homes = Vec::new();
    for interface in &top.interfaces {
        let home = match readers.get(interface.wires[0][0]) {
            Some(&End::Router(router, _)) => router,
            _ => {
                let what = format!("no router reads {}", interface.wires[0][0]);
                return Err(syntax(interface.line, what));
            }
        };
        homes.push(home);
        builder
            .terminal(interface.name, Some(home), Some(home))
            .map_err(|fault| syntax(interface.line, fault.to_string()))?;
    }
    // By network, router and port, what is behind it.
    let mut behind: FxHashMap<(usize, usize, u32), End> = FxHashMap::default();
    for network in 0..networks {
        for (at, router) in top.routers.iter().enumerate() {
            for (&port, wire) in &router.wires[network][1] {
                if let Some(&end) = readers.get(wire) {
                    behind.insert((network, at, port), end);
                }
            }
        }
    }
    let mut links: Vec<(usize, u32, usize, u32)> = Vec::new();
    for (&(network, at, port), &end) in &behind {
        if let (0, End::Router(to, input)) = (network, end) {
            links.push((at, port, to, input));
        }
    }
    links.sort_unstable();
    for (at, port, to, input) in links {
        let end = |node, port| LooseEnd { node, port: Some(format!("p{port}")) };
        builder
            .link(end(at, port), end(to, input), false, [0; 2], None)
            .map_err(|fault| syntax(1, fault.to_string()))?;
    }
    let name = top.name.split([' ', '(']).next().unwrap_or_default();
    let description = builder.finish(if name.is_empty() { "floonoc" } else { name })?;
    // Ports of requests give links their names; on other networks a link has other ports.
    let links: FxHashMap<(usize, usize), u32> = (0..)
        .zip(&description.channels)
        .map(|(at, channel)| ((channel.from.node, channel.to.node), at))
        .collect();
    let mut routed = Routed::new(&description, 1)?.with_own_channels(networks)?;
    let ways =
        Ways { top: &top, behind: &behind, links: &links, homes: &homes, package: tables(package) };
    ways.by_destination(&mut routed);
    if top.routers.iter().any(|router| router.algorithm == SOURCE) {
        ways.by_source(&mut routed)?;
    }
    let traffic = traffic(&top);
    let remarks = vec![
        "links req, rsp and wide are message classes here, and virtual channels 0, 1 and 2"
            .to_owned(),
    ];
    Ok(Reading { description, routed, remarks, traffic: Some(traffic) })
}

/// Managers to subordinates, back, and on wide links both.
fn traffic(top: &Top<'_>) -> Traffic {
    let class = |name: &str, after: Vec<usize>, rank| MessageClass {
        name: name.to_owned(),
        after,
        rank,
        priority: 0,
    };
    let mut classes = vec![class("req", Vec::new(), 0), class("rsp", vec![0], 1)];
    if top.has_wide {
        classes.push(class("wide", Vec::new(), 0));
    }
    let mut flows = Vec::new();
    for (from, manager) in (0..).zip(&top.interfaces) {
        for (to, subordinate) in (0..).zip(&top.interfaces) {
            if from != to && manager.is_manager && subordinate.is_subordinate {
                flows.extend([(0, to, from), (1, from, to)]);
                if top.has_wide {
                    flows.extend([(2, to, from), (2, from, to)]);
                }
            }
        }
    }
    Traffic::new(classes, flows)
}
