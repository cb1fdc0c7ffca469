//! The switches that `compare --synth` measures.

use super::{CompareOptions, LeftOut, plans};
use crate::commands::synth::{Crossbar, classes};
use std::sync::Arc;
use turnpike_analysis::network::{Network, NetworkError, Wanted, Which};
use turnpike_fabric::plan::{FabricPlan, SwitchPlan};

/// A switch to be measured.
pub struct Candidate {
    /// Fabric of the switch.
    pub plan: Arc<FabricPlan>,
    /// The class of switches.
    pub class: usize,
    /// Plan of the switch, with the crossbar.
    pub switch: SwitchPlan,
    /// Kind of crossbar.
    pub crossbar: Crossbar,
    /// Whether the relation was given one VC for comparison's sake.
    pub one_vc: bool,
}

impl Candidate {
    /// The switches of a fabric, class by class, with each of the crossbars; those of no node
    /// that is alive left out.
    fn of(plan: &Arc<FabricPlan>, crossbars: &[Crossbar], one_vc: bool) -> Vec<Self> {
        let by_crossbar: Vec<_> = crossbars.iter().map(|&c| (c, classes(plan, c))).collect();
        let built = (0..plan.switches.len()).filter(|&i| !plan.switches[i].queues.is_empty());
        let of_class = |class: usize| {
            by_crossbar.iter().map(move |(crossbar, switches)| Self {
                plan: Arc::clone(plan),
                class,
                switch: switches[class].clone(),
                crossbar: *crossbar,
                one_vc,
            })
        };
        built.flat_map(of_class).collect()
    }
}

/// Each relation's switch; the same with a full crossbar over its queues; and where it has
/// several VCs, a full crossbar with one.
///
/// # Errors
/// Unknown names, numbers out of range.
pub fn candidates(options: &CompareOptions) -> anyhow::Result<(Vec<Candidate>, Vec<LeftOut>)> {
    let mut found = Vec::new();
    let left_out = plans(options, |plan| found.push(Arc::new(plan)))?;
    // No full crossbar is defined for packets that choose.
    found.retain(|plan| !plan.chooses());
    let mut candidates = Vec::new();
    for plan in found {
        plan.check_rtl()?;
        candidates.extend(Candidate::of(&plan, &[Crossbar::Routed, Crossbar::Full], false));
        if plan.relation().vcs() > 1 {
            let one = match Network::wanted(&Wanted { vcs: Some(1), ..wanted(plan.network()) }) {
                // Routes by table keep the VCs that they were given.
                Err(NetworkError::MoreVcs { .. } | NetworkError::ClassesShare { .. }) => continue,
                one => one?,
            };
            let plan = FabricPlan::new(Arc::new(one), plan.parameters, None)?;
            candidates.extend(Candidate::of(&Arc::new(plan), &[Crossbar::Full], true));
        }
    }
    Ok((candidates, left_out))
}

/// Request that makes a network.
fn wanted(network: &Network) -> Wanted<'_> {
    let (topology, given) = (network.topology(), network.given_relation());
    let which = match network.description() {
        Some(description) => Which::Described(description),
        None => Which::Named(topology.name(), topology.size()),
    };
    let routing = given.is_none().then(|| network.relation().name());
    let concentration = topology.concentration();
    let route_seed = network.relation().route_seed();
    let phases = network.relation().phases().map(|names| names.each_ref().map(String::as_str));
    let intermediate = network.relation().intermediate();
    Wanted { concentration, routing, given, route_seed, phases, intermediate, ..Wanted::of(which) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, Command, FromArgMatches};
    use turnpike_flow::design::Subject;
    use turnpike_network::topology::TOPOLOGIES;

    /// Routing, class, crossbar and whether it is with one VC for comparison's sake.
    type Key = (String, usize, &'static str, bool);

    fn of_line(line: &str) -> anyhow::Result<(Vec<Candidate>, Vec<LeftOut>)> {
        let command = CompareOptions::augment_args(Command::new("compare").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split_whitespace())?;
        candidates(&CompareOptions::from_arg_matches(&matches)?)
    }

    fn keys(line: &str) -> Vec<Key> {
        let (candidates, left_out) = of_line(line).unwrap();
        assert!(left_out.is_empty());
        let key = |c: Candidate| {
            (c.plan.relation().name().to_owned(), c.class, c.crossbar.name(), c.one_vc)
        };
        candidates.into_iter().map(key).collect()
    }

    #[test]
    fn each_class_of_switches_beside_its_full_crossbars() {
        let keys = keys("directed-cube --dim 3");
        let of = |routing: &'static str| keys.iter().filter(move |key| key.0 == routing);
        let wanted = [
            (0, "routed", false),
            (0, "full", false),
            (1, "routed", false),
            (1, "full", false),
            (0, "full", true),
            (1, "full", true),
        ];
        let wanted =
            wanted.map(|(class, crossbar, one)| ("static".to_owned(), class, crossbar, one));
        assert!(of("static").eq(&wanted), "{keys:?}");
        // No full crossbar is defined for packets that choose.
        assert_eq!(of("adaptive").count(), 0);
    }
    /// Every switch is built, with the full crossbar too, at the least sizes of every topology, under
    /// every relation: there queues have no header, or one that nobody reads.
    #[test]
    fn the_least_switches_are_built() {
        let mut wrong = Vec::new();
        for kind in TOPOLOGIES {
            for size in kind.sizes.small().into_iter().take(2) {
                let line = format!("{} {size}", kind.name);
                let candidates = match of_line(&line) {
                    Ok((candidates, _)) => candidates,
                    Err(error) => {
                        println!("{line}: {error}");
                        continue;
                    }
                };
                for candidate in candidates {
                    if let Err(error) = Subject::switch(&candidate.plan, &candidate.switch) {
                        let routing = candidate.plan.relation().name();
                        wrong.push(format!("{line} --routing {routing}: {error}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
