//! Steps of bounds: the checker takes those that are right, and none with a number that is less, a queue
//! before those behind it, or packets left out.

use super::fabric;
use turnpike_base::random::Random;
use turnpike_bounds::check::{Wrong, check};

#[test]
fn the_checker_takes_what_is_found_and_nothing_less() {
    let mut random = Random::new(3);
    let (mut claims, mut left_out) = (0, 0);
    for _ in 0..60 {
        let (plan, right) = fabric(&mut random);
        check(&plan, &right).unwrap();
        let refused = |change: &dyn Fn(&mut turnpike_bounds::Bounds)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            check(&plan, &wrong).expect_err(&plan.canonical())
        };
        let queues = right.steps.queues.len();
        for at in 0..queues {
            let Some(cycles) = right.steps.queues[at].cycles else { continue };
            let error = refused(&|wrong| wrong.steps.queues[at].cycles = Some(cycles - 1));
            assert!(matches!(error, Wrong::Less { .. }), "{error}");
        }
        for at in 0..right.flows.len() {
            if right.flows[at].compositional_cycles.is_some() {
                refused(&|wrong| {
                    wrong.flows[at].compositional_cycles =
                        wrong.flows[at].compositional_cycles.map(|c| c - 1)
                });
            }
            if right.flows[at].bound_cycles.is_some() {
                refused(&|wrong| {
                    wrong.flows[at].bound_cycles = wrong.flows[at].bound_cycles.map(|c| c - 1)
                });
            }
        }
        for at in 0..right.steps.claims.len() {
            claims += 1;
            refused(&|wrong| wrong.steps.claims[at].cycles -= 1);
            for packets in 0..right.steps.claims[at].packets.len() {
                refused(&|wrong| wrong.steps.claims[at].packets[packets].count -= 1);
                refused(&|wrong| wrong.steps.claims[at].packets[packets].within_cycles -= 1);
                refused(&|wrong| wrong.steps.claims[at].packets[packets].cycles_each -= 1);
                let error = refused(&|wrong| {
                    wrong.steps.claims[at].packets.remove(packets);
                });
                left_out += usize::from(matches!(error, Wrong::Missing { .. }));
            }
        }
        // Sinks come first, where packets go on to a queue behind another.
        if right.steps.queues.iter().any(|queue| !queue.input.starts_with("inject")) {
            let error = refused(&|wrong| wrong.steps.queues.reverse());
            assert!(matches!(error, Wrong::Order { .. } | Wrong::Less { .. }), "{error}");
        }
    }
    assert!(claims > 50 && left_out > 50, "{claims} {left_out}");
}
