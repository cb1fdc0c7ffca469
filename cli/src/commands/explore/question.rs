//! The terminals that a file of flows names, and the question which networks there are for them.

use super::ExploreOptions;
use super::grown::BY_TABLE;
use crate::asked::{Asked, anywhere, by_name, named};
use crate::format::counted;
use crate::input;
use crate::options::{NetworkOptions, NetworkSize, UnroutedOptions};
use anyhow::{Context, bail};
use std::sync::Arc;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::flows::Bandwidth;
use turnpike_network::places::PlaceList;
use turnpike_network::topology::{self, Size};
use turnpike_search::growing::question::{Flow, GrowingError, Question};

/// The most load of a channel where none is said, in billionths of a flit per cycle: queues in front of one that
/// carries more get long.
const MAX_LOAD: u64 = 750_000_000;

/// Terminals and their flows.
pub struct Terminals {
    /// Options of any network for the flows.
    pub network: NetworkOptions,
    /// Names of the terminals.
    pub names: Vec<String>,
    /// By terminal, whether it sends and whether it takes packets.
    pub roles: Vec<[bool; 2]>,
    pub question: Question,
    /// The flows as a file, patterns written out.
    pub flows: String,
}

impl Terminals {
    /// Reads the flows, and puts the question.
    ///
    /// # Errors
    /// A file that cannot be read, flows without bandwidths, too many terminals, a limit out of range, a latency that no
    /// network has.
    pub fn read(options: &ExploreOptions) -> anyhow::Result<Self> {
        let network = NetworkOptions::of(UnroutedOptions {
            topology: topology::star::KIND.name.to_owned(),
            size: NetworkSize::default(),
            places: None,
            flows: Some(options.flows.clone()),
            ends: None,
            failed: Vec::new(),
        });
        // Names that a network of its own takes are no names of terminals.
        let small = topology::star::KIND.build(smallest())?;
        let list = named(&network, &PlaceList::default(), &*small)?;
        let names: Vec<String> = list.list().iter().map(|named| named.name.clone()).collect();
        let star = anywhere(&network, &list)?;
        let flows = star.flows().context("internal error: there are no flows")?;
        if !flows.have_bandwidths() {
            let why = "explore weighs flows by their bandwidths, and there are none; add the column bandwidth";
            return Err(input::fault(&options.flows, None, why));
        }
        let asked = by_name(&*star, &list)?;
        let within = within(&names, &asked)?;
        let flow = |(asked, most_channels): (&Asked, u32)| Flow {
            from: asked.between.from,
            to: asked.between.to,
            load: asked.between.weight,
            class: asked.class as u8,
            most_channels,
        };
        let all: Vec<Flow> = asked.iter().zip(within).map(flow).collect();
        let put = |most: u64| Question::new(names.len(), &all, options.switch_ports, most);
        let question = match options.max_load {
            Some(most) => put(most.0),
            None => put(MAX_LOAD).map(|question| {
                let loudest = question.loudest();
                question.with_load(loudest.clamp(MAX_LOAD, Bandwidth::WHOLE.0))
            }),
        };
        let question = question.map_err(|error| match error {
            error @ GrowingError::Ports(_) => anyhow::anyhow!("--switch-ports: {error}"),
            error @ GrowingError::Terminals(_) => {
                input::fault(&options.flows, None, error.to_string())
            }
        })?;
        let question = if options.together { question.together() } else { question };
        let text = flows.text(&*star);
        let has = |at: usize| [0, 1].map(|end| question.streams(at, end) > 0);
        let roles = (0..names.len()).map(has).collect();
        Ok(Self { network, names, roles, question, flows: text })
    }
}

/// Size of the smallest star.
fn smallest() -> Size {
    topology::star::KIND.sizes.of_keys(&["2"]).expect("a number of nodes")
}

/// A network whose relation by tables has the latencies of all such relations.
const PROBE: &str = "mesh";

/// The most channels of each flow by its latency: of a packet alone, with the route looked up at its source and no
/// registers in switches. Where that leaves no time for the table, 0: one switch may do.
fn within(names: &[String], asked: &[Asked]) -> anyhow::Result<Vec<u32>> {
    if asked.iter().all(|asked| asked.latency.is_none()) {
        return Ok(vec![u32::MAX; asked.len()]);
    }
    let kind = topology::find(PROBE)?;
    let size = kind.sizes.of_keys(&["2x2"]).expect("sides");
    let routing = Some(BY_TABLE);
    let probe = Network::wanted(&Wanted { routing, ..Wanted::new(PROBE, size) })?;
    let plan = FabricPlan::new(Arc::new(probe), Parameters::default(), None)?;
    let by_table = plan.zero_load_latency(0);
    // Where all are at one switch there is no table, and no register before it.
    let by_rule = by_table - u32::from(plan.registers_injection());
    let most = |asked: &Asked| {
        let Some(latency) = asked.latency else { return Ok(u32::MAX) };
        let at_one = by_rule.saturating_add(asked.behind);
        if latency < at_one {
            bail!(
                "the flow from {} to {} asks for a latency of {}, and its packets take {at_one} at one switch",
                names[asked.between.from],
                names[asked.between.to],
                counted(latency, "cycle")
            );
        }
        let left = latency.saturating_sub(by_table).saturating_sub(asked.behind);
        Ok(left / plan.hop_cycles())
    };
    asked.iter().map(most).collect()
}
