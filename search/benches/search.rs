//! How long questions of docs/results.md, docs/worst.md and docs/placing.md take. `cargo bench -p turnpike-search`.

#[path = "../tests/task_graphs.rs"]
mod task_graphs;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use task_graphs::TASK_GRAPHS;
use turnpike_search::encode::Encoding;
use turnpike_search::placing::search::{Outcome, place};
use turnpike_search::question::{Balanced, Failures, Measure, Question, Symmetric};
use turnpike_search::search::decide;
use turnpike_search::solver::Limits;

fn questions() -> Vec<(&'static str, Question)> {
    let failed = |k, crosspoints, fan_out| {
        let question = Question { failures: Failures::Regenerated, ..Question::new(k) };
        question.with(Measure::Crosspoints, crosspoints).with(Measure::FanOut, fan_out)
    };
    let one_vc =
        |k, fan_out| Question { vcs: Some(1), ..Question::new(k) }.with(Measure::FanOut, fan_out);
    let even = |k| Question {
        symmetric: Symmetric::Rotations,
        balanced: Some(Balanced::PerStep),
        imbalance: 1,
        ..Question::new(k)
    };
    // Nodes of four kinds, each port with the least crosspoints found.
    let parities = Question {
        symmetric: Symmetric::Parities(vec![0b011000, 0b100000]),
        ..one_vc(6, 4).with(Measure::FanIn, 4).with(Measure::Crosspoints, 15)
    };
    let equal = |k| Question {
        failures: Failures::Regenerated,
        balanced: Some(Balanced::Total),
        ..Question::new(k)
    };
    let worst_case = |k, most| {
        let question = Question { symmetric: Symmetric::Translations, ..Question::new(k) };
        question.with(Measure::WorstCase, most)
    };
    vec![
        ("one failed 4", failed(4, 7, 2)),
        ("one failed 5", failed(5, 11, 3)),
        ("one failed 6", failed(6, 16, 3)),
        ("one vc 4", one_vc(4, 2)),
        ("one vc 5", one_vc(5, 3)),
        ("even steps 6", even(6)),
        ("even steps 7", even(7)),
        ("two parities 6", parities),
        ("equal loads 4", equal(4)),
        ("equal loads 5", equal(5)),
        ("worst case 6", worst_case(6, 3)),
        ("worst case 7", worst_case(7, 4)),
    ]
}

/// Places of the task graphs on their meshes.
fn places(c: &mut Criterion) {
    let mut group = c.benchmark_group("places");
    group.sample_size(10);
    for graph in TASK_GRAPHS {
        let question = graph.question();
        let nothing = vec![None; question.terminals()];
        let answer = || place(&question, &nothing, &Limits::default(), |_, _| {});
        assert!(matches!(answer(), Outcome::Found(found) if found.cost == graph.least));
        group.bench_function(graph.name, |b| b.iter(|| black_box(answer())));
    }
}

fn answers(c: &mut Criterion) {
    let mut group = c.benchmark_group("answer");
    group.sample_size(10);
    for (name, question) in questions() {
        let answer = || decide(&question, "found", &Limits::default(), None).unwrap();
        group.bench_function(name, |b| b.iter(|| black_box(answer())));
    }
}

fn formulas(c: &mut Criterion) {
    let mut group = c.benchmark_group("formula");
    group.sample_size(10);
    for (name, question) in questions() {
        let formula = || Encoding::of(&question).unwrap().formula;
        group.bench_function(name, |b| b.iter(|| black_box(formula())));
    }
}

criterion_group!(benches, answers, formulas, places);
criterion_main!(benches);
