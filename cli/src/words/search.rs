//! Errors of a question of `search`, in its options.

use turnpike_search::clash::{Bound, Clash};
use turnpike_search::question::QuestionError;

/// `None` where the error speaks of no option.
pub fn of_question(error: &QuestionError) -> Option<String> {
    Some(match error {
        QuestionError::Contradiction(clash) => {
            let [one, other] = demands(*clash);
            format!("search: {one} and {other} do not go together: {}", why(*clash))
        }
        QuestionError::Range { what, value, low, high } => {
            format!("search: {} {value} is out of range; use {low} to {high}", option(*what))
        }
        _ => return None,
    })
}

fn option(bound: Bound) -> &'static str {
    match bound {
        Bound::Detour => "--detour",
        Bound::Crosspoints => "--max-crosspoints",
        Bound::FanOut => "--max-fan-out",
        Bound::FanIn => "--max-fan-in",
        Bound::Vcs => "--vcs",
        Bound::WorstCase => "--max-worst-case",
        Bound::Parity => "a mask of --parities",
        Bound::Parities => "the number of --parities",
    }
}

fn demands(clash: Clash) -> [&'static str; 2] {
    match clash {
        Clash::SymmetryAndFailed { by_parities: true } => ["--parities", "a failed node"],
        Clash::SymmetryAndFailed { by_parities: false } => ["--symmetric", "a failed node"],
        Clash::RotationsAndFixed => ["--symmetric rotations", "--any-failure fixed"],
        Clash::AnyParitiesAndVcs => ["--parities with a number", "--vcs above 1"],
        Clash::ParitiesAndMinimalRotations => ["--parities", "--minimal-rotations"],
        Clash::MinimalRotationsAndFailed => ["--minimal-rotations", "a failed node"],
        Clash::LoadsAndFixed => ["a bound on loads", "--any-failure fixed"],
        Clash::WorstCaseAndFailed => ["--max-worst-case", "a failed node"],
        Clash::DetourAndMinimalRotations => ["--detour", "--minimal-rotations"],
        Clash::ImbalanceAlone => ["--imbalance", "unbalanced loads"],
        Clash::FlowsAndSymmetry { by_parities: true } => ["--flows", "--parities"],
        Clash::FlowsAndSymmetry { by_parities: false } => ["--flows", "--symmetric"],
        Clash::FlowsAndFailed => ["--flows", "a failed node"],
        Clash::FlowsAndBalanced => ["--flows", "--balanced"],
        Clash::FlowsAndDetour => ["--flows", "--detour"],
    }
}

fn why(clash: Clash) -> &'static str {
    match clash {
        Clash::RotationsAndFixed => "use --symmetric translations",
        Clash::ImbalanceAlone => "say --balanced total or per-step",
        Clash::FlowsAndBalanced => "few flows load channels unlike; use --max-load",
        clash => clash.why(),
    }
}
