//! The self-test of bus fabrics: small ones of every grid and protocol pass, and the generator of words
//! of one beat makes as many as it should.

use super::outcome;
use turnpike_bus::rtl::fabric;
use turnpike_bus::selftest::subject;
use turnpike_bus::testing::plans;
use turnpike_fabric::board::BOARDS;
use turnpike_fabric::rtl::selftest::top::top;

/// Plans that have a self-test: its packets go from all to all.
fn all() -> Vec<turnpike_bus::BusPlan> {
    plans().into_iter().filter(|plan| plan.flows().is_none()).collect()
}

fn passes<'a>(plans: impl Iterator<Item = &'a turnpike_bus::BusPlan>) {
    for (plan, board) in plans.zip(BOARDS.iter().cycle()) {
        // Source, destination and two bits of a number.
        let width = plan.parameters.width.max(2 * plan.grid.address_bits() + 2);
        let plan = plan.with_width(width);
        let subject = subject(&plan).unwrap();
        let top = top(&subject, &fabric(&plan).unwrap(), board).unwrap();
        let (cycles, fault) = outcome(&top, &subject.cast);
        println!("{}: {cycles} cycles", plan.canonical());
        assert_eq!(fault, None, "{}", plan.canonical());
    }
}

#[test]
fn some_of_every_grid_and_protocol_pass() {
    let short = |plan: &&turnpike_bus::BusPlan| subject_bits(plan) <= 22;
    passes(all().iter().filter(short).step_by(5));
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_small_bus_fabric_passes() {
    passes(all().iter());
}

/// The test ends within 2^this cycles.
fn subject_bits(plan: &turnpike_bus::BusPlan) -> u32 {
    subject(&plan.with_width(70)).unwrap().cast.limit_bits()
}
