//! Checks of a fabric, one file each: what `turnpike verify` runs. Each either holds, fails
//! with what was found, or has nothing to look at.

pub mod bus;
pub mod choices;
pub mod circuit;
pub mod clocks;
pub mod counters;
pub mod crossbar;
pub mod ends;
pub mod fabric;
pub mod interfaces;
pub mod network;
pub mod slotted;
pub mod starvation;
pub mod witness;

use schemars::JsonSchema;
use serde::Serialize;
use turnpike_fabric::plan::FabricPlan;

/// Verdict of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The check holds.
    Holds,
    /// The check fails.
    Fails,
    /// The check is skipped, for there is nothing to look at; the figure says why.
    Skipped,
}

/// A check that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Check {
    /// Claim that was checked.
    pub check: &'static str,
    /// Verdict of the check.
    pub verdict: CheckVerdict,
    /// Extent of the check, or the fault that was found.
    pub figure: String,
}

/// Outcome of a check: its extent, or the fault.
pub type Outcome = Result<String, String>;

impl Check {
    /// Check with its outcome; in place of an outcome, the reason that there is nothing to look at.
    fn of(check: &'static str, outcome: Result<Outcome, String>) -> Self {
        let (verdict, figure) = match outcome {
            Ok(Ok(figure)) => (CheckVerdict::Holds, figure),
            Ok(Err(figure)) => (CheckVerdict::Fails, figure),
            Err(why) => (CheckVerdict::Skipped, why),
        };
        Self { check, verdict, figure }
    }
}

/// Check of a fabric that has interfaces between its network and its terminals, after all others.
const INTERFACES: &str = "interfaces";

/// Check of a fabric whose terminals are in clocks of their own.
const CLOCKS: &str = "clocks";

/// Check of a fabric with counters.
const COUNTERS: &str = "counters";

/// Check of a fabric with memory-mapped ends.
const ENDS: &str = "ends";

/// Names of the checks of a plan, in the order of [`run`].
pub fn checks_of(plan: &FabricPlan) -> Vec<&'static str> {
    let interfaces = plan.has_interfaces().then_some(INTERFACES);
    let clocks = (!plan.clocks().is_empty()).then_some(CLOCKS);
    let counters = plan.has_counters().then_some(COUNTERS);
    let ends = plan.ends().is_some().then_some(ENDS);
    CHECKS.into_iter().chain(clocks).chain(interfaces).chain(counters).chain(ends).collect()
}

/// Names of the checks that every fabric has.
const CHECKS: [&str; 9] = [
    "routes",
    "symmetry",
    "turns",
    "deadlock",
    "crosspoints",
    "crossbar",
    "all pairs",
    "random traffic",
    "starvation",
];

/// Makes every check. `begin` hears of each before it is made.
pub fn run(plan: &FabricPlan, begin: &mut dyn FnMut(&'static str)) -> Vec<Check> {
    let rtl = plan.check_rtl().map_err(|error| error.to_string());
    let mut checks = Vec::new();
    for check in checks_of(plan) {
        begin(check);
        let with_rtl = |f: fn(&FabricPlan) -> Outcome| match &rtl {
            Ok(()) => Ok(f(plan)),
            Err(error) => Err(format!("no RTL: {error}")),
        };
        // Nor can one be made to turn that draws.
        let chooses = !plan.keeps_order();
        let outcome = match check {
            // A packet alone takes what it likes best: no witness can be made to turn.
            "crosspoints" if chooses => with_rtl(choices::check),
            "routes" => Ok(network::routes(plan)),
            "symmetry" => network::symmetry(plan).ok_or_else(|| NOT_SYMMETRIC.to_owned()),
            "turns" => Ok(network::turns(plan)),
            "deadlock" => Ok(network::deadlock(plan)),
            "crosspoints" => with_rtl(witness::check),
            "crossbar" => with_rtl(crossbar::check),
            "all pairs" => with_rtl(fabric::all_pairs),
            "random traffic" => with_rtl(fabric::random_traffic),
            CLOCKS => with_rtl(clocks::check),
            INTERFACES => with_rtl(interfaces::check),
            COUNTERS => with_rtl(counters::check),
            ENDS => with_rtl(ends::check),
            _ => starvation::check(plan),
        };
        checks.push(Check::of(check, outcome));
    }
    checks
}

const NOT_SYMMETRIC: &str = "nodes differ: every pair is walked, nothing rests on symmetry";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::Arc;
    use turnpike_analysis::network::Network;
    use turnpike_fabric::plan::Parameters;
    use turnpike_fabric::testing::{WIRED, plan_of};

    pub fn plan(routing: &str, k: u32, vcs: Option<u8>) -> FabricPlan {
        let network = Network::new("hypercube", k, Some(routing), vcs).unwrap();
        FabricPlan::new(Arc::new(network), Parameters::default(), None).unwrap()
    }

    #[test]
    fn a_good_cube_holds_and_one_with_a_cycle_does_not() {
        let mut begun = Vec::new();
        let good = run(&plan("rotation", 3, None), &mut |check| begun.push(check));
        assert_eq!(begun, CHECKS);
        assert!(good.iter().all(|c| c.verdict == CheckVerdict::Holds), "{good:#?}");
        let bad = run(&plan("rotation", 4, Some(1)), &mut |_| ());
        let fails = bad.iter().filter(|c| c.verdict == CheckVerdict::Fails);
        assert_eq!(fails.map(|c| c.check).collect::<Vec<_>>(), ["deadlock", "starvation"]);
    }

    #[test]
    fn adaptive_fabrics_hold() {
        for fabric in ["hypercube 3 adaptive", "directed-cube 4 adaptive"] {
            let checks = run(&plan_of(fabric, Parameters::default()), &mut |_| ());
            assert!(checks.iter().all(|c| c.verdict == CheckVerdict::Holds), "{checks:#?}");
        }
        for fabric in ["mesh 3x3 adaptive", "mesh 4x3 odd-even"] {
            let checks = run(&plan_of(fabric, Parameters::default()), &mut |_| ());
            assert!(checks.iter().all(|c| c.verdict != CheckVerdict::Fails), "{checks:#?}");
            let skipped = checks.iter().filter(|c| c.verdict == CheckVerdict::Skipped);
            assert_eq!(skipped.map(|c| c.check).collect::<Vec<_>>(), ["symmetry"]);
        }
    }

    /// Several terminals at a switch, terminals with one side alone, parallel channels.
    #[test]
    fn wired_networks_hold() {
        for (name, _) in WIRED {
            for routing in ["shortest", "random-static"] {
                let plan = plan_of(&format!("wired {name} {routing}"), Parameters::default());
                let checks = run(&plan, &mut |_| ());
                assert!(checks.iter().all(|c| c.verdict != CheckVerdict::Fails), "{checks:#?}");
                let skipped = checks.iter().filter(|c| c.verdict == CheckVerdict::Skipped);
                assert_eq!(skipped.map(|c| c.check).collect::<Vec<_>>(), ["symmetry"]);
            }
        }
    }

    #[test]
    fn beyond_rtl_the_rest_is_checked() {
        let checks = run(&plan("ecube", 11, None), &mut |_| ());
        let skipped = checks.iter().filter(|c| c.verdict == CheckVerdict::Skipped);
        let expected = ["crosspoints", "crossbar", "all pairs", "random traffic"];
        assert_eq!(skipped.map(|c| c.check).collect::<Vec<_>>(), expected);
        assert!(checks.iter().all(|c| c.verdict != CheckVerdict::Fails));
    }
}
