//! The name of a fabric that the user gives none.

use super::counters::MOST_WATCHDOG;
use super::{Parameters, TerminalAddress, TerminalClock, TerminalWidth, TerminalWishes};
use turnpike_analysis::network::Network;
use turnpike_base::names::{MAX_LENGTH, digest, fitted};
use turnpike_network::places::Places;
use turnpike_network::routing::several_vcs::VcAllocation;
use turnpike_network::routing::{Build, DEFAULT_SEED, RELATIONS, Relation};
use turnpike_network::topology::Topology;

/// Characters that a name too long keeps of its options, at most.
const MOST_OF_OPTIONS: usize = 24;

/// Topology, relation, the nodes that failed, and each option that is not the default one, so that
/// two fabrics of one network do not have one name. A name that would be too long has the number of
/// failed nodes, and ends with the first digits of the SHA-256 of the whole; topology and relation
/// are cut where that is too long still.
pub(super) fn default_name(
    network: &Network,
    parameters: &Parameters,
    wishes: &TerminalWishes,
) -> String {
    let (topology, relation) = (network.topology(), network.relation());
    let failed = topology.failed_nodes().into_iter().map(|node| topology.label(node));
    let mut options = of_relation(topology, relation);
    if let Some(flows) = topology.flows() {
        let places = topology.places().map(Places::text).unwrap_or_default();
        options.push(match &wishes.ends {
            Some(ends) => format!("ends_{}", digest(&(ends.text() + &places))),
            None => format!("flows_{}", digest(&(flows.text(topology) + &places))),
        });
        options.extend(flows.are_separate().then(|| "separate".to_owned()));
    }
    if relation.is_randomised() && parameters.draw_seed != DEFAULT_SEED {
        options.push(format!("draw{}", parameters.draw_seed));
    }
    if network.certificate().is_none() {
        options.push(format!("vcs{}_can_deadlock", relation.vcs()));
    }
    options.extend(relation.vc_allocation().map(|allocation| match allocation {
        VcAllocation::Any => format!("vcs{}", relation.vcs()),
        VcAllocation::Kept => format!("vcs{}_{allocation}", relation.vcs()),
    }));
    let usual = Parameters::default();
    options.extend(match wishes.ends {
        // The ends say both.
        Some(_) => Parameters { width: usual.width, ports: usual.ports, ..*parameters }.words(),
        None => parameters.words(),
    });
    if !wishes.clocks.is_empty() {
        let clocks = wishes.clocks.iter().map(TerminalClock::to_string);
        let stages = wishes.sync_stages.to_string();
        let clocks: Vec<String> = clocks.chain([stages]).collect();
        options.push(format!("clocks_{}", digest(&clocks.join(","))));
    }
    if !wishes.widths.is_empty() {
        let widths: Vec<String> = wishes.widths.iter().map(TerminalWidth::to_string).collect();
        options.push(format!("widths_{}", digest(&widths.join(","))));
    }
    if !wishes.addresses.is_empty() {
        let addresses: Vec<String> =
            wishes.addresses.iter().map(TerminalAddress::to_string).collect();
        options.push(format!("addresses_{}", digest(&addresses.join(","))));
    }
    if let Some(watchdog) = wishes.counters {
        options.push(match watchdog {
            MOST_WATCHDOG => "counters".to_owned(),
            cycles => format!("counters{cycles}"),
        });
    }
    options.extend(wishes.shaper.map(|room| match room {
        0 => "shaper".to_owned(),
        flits => format!("shaper{flits}"),
    }));
    let network = format!("{}_{}", topology.identifier(), relation.name());
    of(&network, &failed.collect::<Vec<_>>(), &options)
}

/// Name of the module of a class of parts, of so many: with its number where there are several.
pub fn of_class(fabric: &str, part: &str, class: usize, classes: usize) -> String {
    match classes {
        1 => format!("{fabric}_{part}"),
        _ => format!("{fabric}_{part}_{class}"),
    }
}

/// Words for what a relation was given beside its name.
fn of_relation(topology: &dyn Topology, relation: &Relation) -> Vec<String> {
    let mut words = Vec::new();
    if let Some([first, second]) = relation.phases() {
        let topology = topology.intact().unwrap_or(topology);
        let usual = RELATIONS.iter().find_map(|kind| match kind.build {
            Build::Phases { default, .. } if kind.name == relation.name() => Some(default),
            _ => None,
        });
        let usual = usual.map(|usual| usual(topology));
        match first == second {
            true if usual == Some(first.as_str()) => {}
            true => words.push(format!("by_{first}")),
            false => words.push(format!("by_{first}_then_{second}")),
        }
    }
    if let Some(intermediate) = relation.intermediate() {
        words.push(format!("via_{}", intermediate.to_string().replace('-', "to")));
    }
    let seed = relation.route_seed().filter(|&seed| seed != DEFAULT_SEED);
    words.extend(seed.map(|seed| format!("routes{seed}")));
    words
}

impl Parameters {
    /// A word for each parameter that is not the default one, as they stand in the name of a fabric.
    fn words(&self) -> Vec<String> {
        let usual = Self::default();
        let mut words = Vec::new();
        let mut word = |is_usual: bool, word: String| words.extend((!is_usual).then_some(word));
        word(self.width == usual.width, format!("w{}", self.width));
        word(self.depth == usual.depth, format!("d{}", self.depth));
        word(!self.source_id, "id".to_owned());
        word(self.user_width == 0, format!("user{}", self.user_width));
        word(!self.keep, "keep".to_owned());
        let pipeline = self.pipeline.word().replace('-', "_");
        word(self.pipeline == usual.pipeline, format!("pipeline{pipeline}"));
        word(self.link_registers == 0, format!("links{}", self.link_registers));
        word(self.queue == usual.queue, self.queue.to_string());
        word(self.mux == usual.mux, self.mux.to_string());
        word(self.ports == usual.ports, self.ports.to_string());
        word(self.reset == usual.reset, format!("reset_{}", self.reset));
        words
    }
}

fn of(network: &str, failed: &[String], options: &[String]) -> String {
    let network = network.replace('-', "_");
    let without: String = failed.iter().map(|label| format!("_without_{label}")).collect();
    let options: String = options.iter().map(|option| format!("_{option}")).collect();
    let whole = format!("{network}{without}{options}");
    if whole.len() <= MAX_LENGTH {
        return fitted(&whole);
    }
    let digest = digest(&whole);
    let without = match failed.len() {
        0 => String::new(),
        several => format!("_without_{several}_nodes"),
    };
    // The number of nodes is never cut off: what names the network is.
    let options: String = match options.char_indices().nth(MOST_OF_OPTIONS) {
        // Up to the last word that fits.
        Some((end, _)) => {
            let fits = &options[..end];
            fits[..fits.rfind('_').unwrap_or(end)].to_owned()
        }
        None => options,
    };
    let room = MAX_LENGTH - without.len() - options.len() - 1 - digest.len();
    let network: String = network.chars().take(room).collect();
    fitted(&format!("{network}{without}{options}_{digest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{FabricPlan, MuxStyle, Pipeline, PortStyle, QueueStyle, ResetStyle};
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;
    use turnpike_analysis::network::Wanted;
    use turnpike_base::names::check_fabric_name;
    use turnpike_network::routing::of_kind;
    use turnpike_network::topology::TOPOLOGIES;

    #[test]
    fn a_name_that_fits_stays() {
        let failed = ["001", "110"].map(str::to_owned);
        assert_eq!(
            of("hypercube_3_two-stage", &failed, &[]),
            "hypercube_3_two_stage_without_001_without_110"
        );
        let longest = "a".repeat(MAX_LENGTH);
        assert_eq!(of(&longest, &[], &[]), longest);
    }

    #[test]
    fn a_long_name_is_cut_and_stays_apart() {
        let name = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            of("directed_cube_2_c2_random-static", &labels, &[])
        };
        let one = name(&["01", "10", "11"]);
        assert!(one.starts_with("directed_cube_2_c2_random_static_without_3_nodes_"), "{one}");
        assert_eq!(one, name(&["01", "10", "11"]));
        assert_ne!(one, name(&["00", "10", "11"]));
        assert_ne!(of(&"a".repeat(80), &[], &[]), of(&"a".repeat(81), &[], &[]));
        let longer = of(&"a".repeat(80), &["01".to_owned(), "10".to_owned()], &[]);
        assert!(longer.len() == MAX_LENGTH && longer.contains("aa_without_2_nodes_"), "{longer}");
    }

    /// Names of every topology and relation fit, whatever number of nodes failed.
    #[test]
    fn names_fit() {
        let mut names = BTreeSet::new();
        for kind in TOPOLOGIES {
            let topology = kind.build(*kind.sizes.small().last().unwrap()).unwrap();
            for relation in of_kind(kind) {
                for several in 0..topology.nodes().min(20) {
                    let network = format!("{}_c16_{}", topology.identifier(), relation.name);
                    let failed: Vec<String> = topology
                        .all_nodes()
                        .take(several as usize)
                        .map(|n| topology.label(n))
                        .collect();
                    let name = of(&network, &failed, &[]);
                    assert_eq!(check_fabric_name(&name), Ok(()), "{name}");
                    assert!(names.insert(name.clone()), "{name}: a second time");
                }
            }
        }
        assert!(names.iter().any(|name| name.contains("_nodes_")));
    }

    /// Every option that is not the default one is told, and a name too long keeps some of them.
    #[test]
    fn options_are_told() {
        let plain = Network::wanted(&Wanted::new("hypercube", 3)).unwrap();
        let name = |parameters| default_name(&plain, &parameters, &TerminalWishes::default());
        let base = Parameters::default();
        assert_eq!(name(base), "hypercube_3_ecube");
        assert_eq!(name(Parameters { width: 64, depth: 8, ..base }), "hypercube_3_ecube_w64_d8");
        let all = Parameters {
            width: 64,
            depth: 8,
            source_id: true,
            user_width: 3,
            keep: true,
            pipeline: Pipeline::Output,
            link_registers: 2,
            queue: QueueStyle::Shift,
            mux: MuxStyle::Lut4,
            ports: PortStyle::Named,
            reset: ResetStyle::Low,
            draw_seed: 7,
        };
        let long = name(all);
        assert!(long.starts_with("hypercube_3_ecube_w64_d8_id_user3_keep_"), "{long}");
        assert_eq!(check_fabric_name(&long), Ok(()));
        assert_ne!(long, name(Parameters { reset: ResetStyle::High, ..all }));
    }

    /// Configurations that differ have names that differ: over every build of some networks.
    #[test]
    fn no_two_fabrics_of_a_network_have_one_name() {
        let base = Parameters::default();
        let mut builds = base.builds();
        for more in [
            Parameters { width: 8, ..base },
            Parameters { width: 8, keep: true, ..base },
            Parameters { depth: 5, ..base },
            Parameters { source_id: true, ..base },
            Parameters { user_width: 1, ..base },
            Parameters { user_width: 8, ..base },
            Parameters { link_registers: 1, ..base },
            Parameters { link_registers: 2, ..base },
            Parameters { ports: PortStyle::Named, ..base },
            Parameters { reset: ResetStyle::Low, ..base },
            Parameters { draw_seed: 2, ..base },
        ] {
            builds.push(more);
        }
        let mut configurations: BTreeMap<String, String> = BTreeMap::new();
        let mut named = 0;
        for words in [
            "",
            "rotation",
            "two-phase",
            "two-phase ecube,rotation",
            "two-phase rotation,rotation",
            "two-phase ecube,ecube bits:0-1",
            "two-phase ecube,ecube bits:0,1",
            "two-phase ecube,ecube 0,1",
            "two-phase ecube,ecube 0-3",
            "romm",
            "adaptive",
            "random-static",
            "random-static seed",
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            let phases: Vec<&str> =
                words.get(1).map_or(Vec::new(), |list| list.split(',').collect());
            let phases = <[&str; 2]>::try_from(phases).ok();
            let intermediate = words.get(2).map(|text| text.parse().unwrap());
            let network = Network::wanted(&Wanted {
                routing: words.first().copied().filter(|name| !name.is_empty()),
                phases,
                intermediate: intermediate.as_ref(),
                route_seed: words.contains(&"seed").then_some(9),
                ..Wanted::new("hypercube", 3)
            });
            let network = Arc::new(network.unwrap());
            for &parameters in &builds {
                let Ok(plan) = FabricPlan::new(Arc::clone(&network), parameters, None) else {
                    continue;
                };
                let configuration = plan.canonical();
                let before = configurations.insert(plan.name.clone(), configuration.clone());
                named += 1;
                assert!(
                    before.as_ref().is_none_or(|before| *before == configuration),
                    "{}: {before:?} and {configuration}",
                    plan.name
                );
            }
        }
        assert!(named > 200 && configurations.len() > 150, "{named}");
    }
}
