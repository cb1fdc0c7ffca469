//! The answers in docs/results.md that a search gives in a moment.

use std::path::Path;
use turnpike_search::encode::Encoding;
use turnpike_search::parities::choices;
use turnpike_search::question::{Balanced, Failures, Measure, Question, Symmetric};
use turnpike_search::search::{Answer, Impossible, decide, minimize};
use turnpike_search::solver::{Limits, Satisfiability, solve};

fn is_found(question: &Question) -> bool {
    match decide(question, "found", &Limits::default(), None).unwrap() {
        Answer::Found(_) => true,
        Answer::None(_) => false,
        Answer::Unknown => panic!("without a limit"),
    }
}

fn least(question: &Question, measure: Measure) -> u32 {
    let least = minimize(question, measure, "found", &Limits::default(), None, |_| ()).unwrap();
    assert!(least.proven.is_some());
    least.best.unwrap().figures.of(measure, question.balanced)
}

/// The question that SRC Technical Note 2000-001 leaves open.
#[test]
fn seven_connections_survive_a_failure_in_dimension_4() {
    let question = Question { failures: Failures::Regenerated, ..Question::new(4) };
    let question = question.with(Measure::Crosspoints, 7).with(Measure::FanOut, 2);
    assert!(is_found(&question));
    assert!(!is_found(&question.with(Measure::Crosspoints, 6)));
}

#[test]
fn the_counting_bounds_are_met_after_a_failure() {
    for (k, crosspoints, fan_out) in [(3, 4, 2), (4, 7, 2), (5, 11, 3)] {
        let question = Question { failures: Failures::Regenerated, ..Question::new(k) };
        assert_eq!(least(&question, Measure::Crosspoints), crosspoints);
        let both = question.clone().with(Measure::Crosspoints, crosspoints);
        assert_eq!(least(&both, Measure::FanOut), fan_out);
    }
}

/// One virtual channel costs a port of the 3-cube one crosspoint more, and no port of the
/// 4-cube any.
#[test]
fn the_price_of_one_virtual_channel() {
    for (k, fan_out) in [(3, 2), (4, 2), (5, 3)] {
        let question = Question { vcs: Some(1), ..Question::new(k) };
        assert_eq!(least(&question, Measure::FanOut), fan_out);
    }
    let four = Question { vcs: Some(1), ..Question::new(4) };
    assert!(is_found(&four.with(Measure::FanOut, 2).with(Measure::FanIn, 2)));
}

/// Where nodes are alike by two parities, the ports of the 5-cube and the 6-cube have one
/// virtual channel at the least crosspoints there are; by one parity those of the 4-cube do.
#[test]
fn nodes_of_few_kinds_have_one_virtual_channel() {
    for (k, parities, crosspoints, ports) in
        [(4, 1, 8, 2), (4, 2, 7, 2), (5, 2, 10, 3), (6, 2, 15, 4)]
    {
        let symmetric = Symmetric::AnyParities(parities);
        let question = Question { symmetric, vcs: Some(1), ..Question::new(k) };
        let question = question.with(Measure::Crosspoints, crosspoints);
        let question = question.with(Measure::FanOut, ports);
        let both = question.clone().with(Measure::FanIn, ports);
        assert_eq!(is_found(&both), parities == 2, "{k}");
        assert!(is_found(&question), "{k}");
        // Among all relations as well, where the search fixes which node is which.
        if k == 4 && parities == 2 {
            assert!(is_found(&Question { symmetric: Symmetric::No, ..both }));
        }
    }
    // The argument holds whichever nodes are alike.
    let question =
        Question { symmetric: Symmetric::AnyParities(2), vcs: Some(1), ..Question::new(5) };
    let answer = decide(&question.with(Measure::FanOut, 2), "none", &Limits::default(), None);
    assert!(matches!(answer, Ok(Answer::None(Impossible::ByArgument(_)))));
}

/// By the solver, without the short argument: the formula itself says so. For k = 6 of relations
/// by two parities.
#[test]
fn the_short_argument_is_confirmed() {
    let three = Question { vcs: Some(1), ..Question::new(3) };
    let six = choices(6, 2).into_iter().map(|masks| Question {
        symmetric: Symmetric::Parities(masks),
        vcs: Some(1),
        ..Question::new(6)
    });
    let mut asked: Vec<Question> = six.map(|six| six.with(Measure::FanOut, 3)).collect();
    asked.extend([Measure::FanOut, Measure::FanIn].map(|measure| three.clone().with(measure, 1)));
    for question in asked {
        let formula = Encoding::of(&question).unwrap().formula;
        let verdict = solve(&formula, &Limits::default(), None).unwrap();
        assert_eq!(verdict, Satisfiability::Unsatisfiable, "{question:?}");
    }
}

/// 6 crosspoints at every switch of the 4-cube, no port with more than 2, one virtual channel:
/// there is none, where 7 or one kind of port less will do.
#[test]
#[ignore = "half a minute in the solver"]
fn ports_and_switches_at_their_least_take_a_second_channel() {
    let question = Question { vcs: Some(1), ..Question::new(4) };
    let question = question.with(Measure::Crosspoints, 6).with(Measure::FanOut, 2);
    assert!(is_found(&question));
    assert!(is_found(&question.clone().with(Measure::FanIn, 2).with(Measure::Crosspoints, 7)));
    assert!(!is_found(&question.with(Measure::FanIn, 2)));
}

/// Rotation with other ways to break ties: as even as can be for k = 4 and 6, not for 8.
#[test]
fn ties_of_minimal_rotations() {
    let question = |k, minimal_rotations| Question {
        symmetric: Symmetric::Rotations,
        balanced: Some(Balanced::PerStep),
        imbalance: 100,
        minimal_rotations,
        ..Question::new(k)
    };
    for (k, imbalance) in [(4, 1), (6, 1), (8, 2)] {
        assert_eq!(least(&question(k, true), Measure::Imbalance), imbalance, "dimension {k}");
    }
    assert_eq!(least(&question(6, false), Measure::Imbalance), 1);
}

/// One crossbar for every failure, routes two channels longer: as few crosspoints as without
/// failures in dimension 3, one more in dimension 4 where all switches are alike.
#[test]
fn one_crossbar_survives_any_failure() {
    let fixed = |k, detour, symmetric| Question {
        failures: Failures::Fixed,
        detour,
        symmetric,
        ..Question::new(k)
    };
    assert_eq!(least(&fixed(3, 2, Symmetric::No), Measure::Crosspoints), 3);
    assert_eq!(least(&fixed(4, 2, Symmetric::Translations), Measure::Crosspoints), 7);
    assert_eq!(least(&fixed(4, 4, Symmetric::Translations), Measure::Crosspoints), 6);
    assert_eq!(least(&fixed(3, 0, Symmetric::No), Measure::Crosspoints), 6);
}

/// A relation as even as can be, after a failure, with the least crossbars.
#[test]
fn loads_are_equal_after_a_failure() {
    let question = Question {
        failures: Failures::Regenerated,
        balanced: Some(Balanced::Total),
        ..Question::new(4)
    };
    assert!(is_found(&question));
}

/// With one output for each input, no routes of the 3-cube around a failed node are even: 7 nodes
/// are left, so that none is more than 4 longer than the distance. With two outputs some are.
#[test]
fn even_loads_of_longer_routes() {
    let question = |fan_out| Question {
        failures: Failures::Regenerated,
        balanced: Some(Balanced::Total),
        fan_out: Some(fan_out),
        detour: 4,
        ..Question::new(3)
    };
    assert!(!is_found(&question(1)));
    assert!(is_found(&question(2)));
    assert!(is_found(&Question { balanced: None, ..question(1) }));
    // An odd detour allows no route that the even one below it does not.
    assert!(!is_found(&Question { detour: 5, ..question(1) }));
    assert_eq!(least(&Question { balanced: None, ..question(2) }, Measure::MaxLoad), 4);
}

/// Each relation waits in no cycle, though the turns of all together close one.
#[test]
fn relations_of_one_crossbar_have_waits_of_their_own() {
    for k in [2, 3] {
        let failures = Failures::Fixed;
        let question = Question { failures, vcs: Some(1), ..Question::new(k) };
        assert!(is_found(&question), "{k}");
        assert_eq!(least(&Question { vcs: None, ..question }, Measure::Vcs), 1);
    }
}

#[test]
fn virtual_channels_by_datelines() {
    for vcs in 2..=3 {
        let question = Question { vcs: Some(vcs), ..Question::new(4) };
        let question = question.with(Measure::FanOut, 2);
        assert!(is_found(&Question { symmetric: Symmetric::Translations, ..question }));
    }
}

#[test]
fn a_proof_is_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.drat");
    let question = Question {
        symmetric: Symmetric::Rotations,
        balanced: Some(Balanced::PerStep),
        imbalance: 1,
        minimal_rotations: true,
        ..Question::new(8)
    };
    let answer =
        |proof: Option<&Path>| decide(&question, "none", &Limits::default(), proof).unwrap();
    assert!(matches!(answer(None), Answer::None(Impossible::BySolver { checked: false, .. })));
    assert!(matches!(
        answer(Some(&path)),
        Answer::None(Impossible::BySolver { checked: true, .. })
    ));
    assert!(path.is_file() && folder.path().join("p.drat.cnf").is_file());
}

/// What docs/worst.md has: the least worst case of all relations up to k = 4, and of those that are
/// the same at every node up to k = 7: from k = 5 on it is less than `ecube` has. On failures it is refused.
#[test]
fn the_least_worst_case() {
    for (k, symmetric, most) in [
        (2, Symmetric::No, 1),
        (3, Symmetric::No, 2),
        (4, Symmetric::No, 2),
        (5, Symmetric::Translations, 3),
        (5, Symmetric::Rotations, 4),
        (6, Symmetric::Translations, 3),
        (7, Symmetric::Translations, 4),
    ] {
        let question = Question { symmetric, ..Question::new(k) };
        assert_eq!(least(&question, Measure::WorstCase), most, "{question:?}");
    }
    let failures = Failures::Given([0].into());
    let question = Question { failures, worst_case: Some(2), ..Question::new(3) };
    assert!(question.check().unwrap_err().to_string().contains("a bound on the worst case"));
}
