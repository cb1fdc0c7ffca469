//! Fabrics whose terminals have addresses of a user's choice.

use crate::common::every_field;
use crate::common::mutant::{is_found_by_packets, mutants};
use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::interface;
use turnpike_fabric::testing::{ADDRESS_FABRICS, plan_of};
use turnpike_netlist::Module;
use turnpike_sim_bench::verify::{clocks, counters, interfaces};

/// With `tid` and without; packets to nobody are told of.
#[test]
fn packets_arrive_by_the_addresses_that_were_chosen() {
    let plain = Parameters { width: 32, ..Parameters::default() };
    for fabric in ADDRESS_FABRICS {
        for parameters in [every_field(), plain] {
            let plan = plan_of(fabric, parameters);
            assert!(plan.has_addresses(), "{fabric}");
            for check in [interfaces::check, clocks::check] {
                let figure = check(&plan);
                assert!(figure.is_ok(), "{fabric}: {figure:?}");
            }
            if plan.has_counters() {
                let figure = counters::check(&plan);
                assert!(figure.is_ok(), "{fabric}: {figure:?}");
            }
        }
    }
}

/// Operators exchanged one by one, and registers that a reset misses.
#[test]
fn every_fault_of_an_exchange_is_found_out() {
    let plan = plan_of("mesh 2x2 dimension-order as 0_0=@16,1_1=@7", every_field());
    let top = interface::design(&plan).unwrap();
    let is_found = |mutant: &Module| is_found_by_packets(&top, &plan, mutant);
    let exchanges: Vec<_> =
        top.modules().iter().filter(|module| module.name.ends_with("_address")).collect();
    assert_eq!(exchanges.len(), 2);
    let all = exchanges.into_iter().flat_map(|module| mutants(module));
    let (caught, lived): (Vec<_>, Vec<_>) = all.partition(|(mutant, _)| is_found(mutant));
    let lived: Vec<&String> = lived.iter().map(|(_, what)| what).collect();
    assert!(lived.is_empty(), "{} caught; not: {lived:?}", caught.len());
    assert!(caught.len() > 20, "{}", caught.len());
}
