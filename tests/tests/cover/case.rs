//! One configuration: whether the generator takes it, and whether what it makes is right.

use crate::cover::options::{Case, NetworkWords, Traffic};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use turnpike_analysis::network::{Network, Wanted};
use turnpike_emit::Vlnv;
use turnpike_fabric::plan::{FabricPlan, Parameters};
use turnpike_network::flows::FlowList;
use turnpike_network::places::PlaceList;
use turnpike_network::routing::{self, Build, RELATIONS};
use turnpike_network::topology::failed::Failed;
use turnpike_network::topology::{self, Node, Size};
use turnpike_sim_bench::testbench::fabric::{Until, run_fabric};
use turnpike_sim_bench::testbench::terminals::FabricDut;
use turnpike_sim_bench::verify::{clocks, counters, interfaces};
use turnpike_sim_network::stimulus::bursts;
use turnpike_tests::fabric::Fabric;
use turnpike_tests::icarus::Icarus;
use turnpike_tests::lint::every;
use turnpike_tests::require;

/// A thousand bits at sixteen terminals take Icarus two minutes alone, more beside other tests.
const LIMIT: Duration = Duration::from_secs(1800);

/// Terminals times depth, at most, of fabrics whose testbench runs: packets are four times as long
/// as queues are deep, and Icarus would take minutes. The others run in lockstep alone.
const MOST_PLACES: u32 = 8 << 10;

/// The networks that were asked for, or why there is none.
#[derive(Default)]
pub struct Networks {
    made: RefCell<HashMap<NetworkWords, Result<Arc<Network>, String>>>,
    sizes: RefCell<HashMap<SizeWords, Result<Size, String>>>,
}

/// Words that say how large a network is: topology, relation and least dimension.
type SizeWords = (&'static str, &'static str, u32);

impl Networks {
    /// A network, as `generate` takes it: with a certificate against deadlock.
    pub fn get(&self, words: &NetworkWords) -> Result<Arc<Network>, String> {
        let known = self.made.borrow().get(words).cloned();
        known.unwrap_or_else(|| {
            let made = self.size(words).and_then(|size| make(words, size)).map(Arc::new);
            self.made.borrow_mut().insert(words.clone(), made.clone());
            made
        })
    }

    /// Size of the topology: the least that has the relation, whatever the other words are.
    pub fn size(&self, words: &NetworkWords) -> Result<Size, String> {
        let key = (words.topology, words.routing, words.least_dimension);
        self.sizes.borrow_mut().entry(key).or_insert_with(|| size(words)).clone()
    }

    /// The plan of a configuration, or what `generate` says against it.
    pub fn plan(&self, case: &Case) -> Result<FabricPlan, String> {
        let network = self.get(&case.network)?;
        let plan = FabricPlan::with_interfaces(network, case.parameters, &case.wishes, None)
            .map_err(|e| e.to_string())?;
        plan.check_rtl().map_err(|e| e.to_string())?;
        Ok(plan)
    }
}

/// Whether a relation of this name takes the options of relations that are given; a quick look, that
/// spares most networks that cannot be.
pub fn takes_its_options(words: &NetworkWords) -> bool {
    let named = RELATIONS.iter().filter(|kind| kind.name == words.routing);
    let phases = words.phases.is_some() || words.intermediate.is_some();
    named.map(|kind| kind.build).any(|build| match build {
        Build::Fixed(_) => words.route_seed.is_none() && !phases,
        Build::Drawn(_) => !phases,
        Build::Phases { .. } => words.route_seed.is_none(),
    })
}

fn size(words: &NetworkWords) -> Result<Size, String> {
    let kind = topology::find(words.topology).map_err(|e| e.to_string())?;
    let too_small = |size: &Size| size.only_dim().is_some_and(|dim| dim < words.least_dimension);
    (kind.sizes.small().into_iter())
        .filter(|size| !too_small(size))
        .find(|&size| {
            let intact = kind.build(size);
            intact.is_ok_and(|t| routing::build(words.routing, &*t).is_ok())
        })
        .ok_or_else(|| format!("{} does not route {}", words.routing, words.topology))
}

fn make(words: &NetworkWords, size: Size) -> Result<Network, String> {
    let kind = topology::find(words.topology).map_err(|e| e.to_string())?;
    let intact = kind.build(size).map_err(|e| e.to_string())?;
    let highest = (0..intact.nodes()).rev().take(words.failed as usize);
    let failed: Vec<String> = highest.map(|node| intact.label(Node(node))).collect();
    let intermediate = words.intermediate.map(|list| list.parse().expect("it is a list"));
    let wanted = Wanted {
        intermediate: intermediate.as_ref(),
        routing: Some(words.routing),
        route_seed: words.route_seed,
        phases: words.phases,
        vcs: words.vcs,
        vc_allocation: words.vc_allocation,
        failed: &failed,
        concentration: words.concentration,
        ..Wanted::new(words.topology, size)
    };
    let whole = wanted.intact().map_err(|e| e.to_string())?;
    let alive = Failed::new(whole, &failed).map_err(|e| e.to_string())?;
    let flows = words.flows.file(&alive);
    let flows = flows.map(|text| FlowList::parse(&text)).transpose().map_err(|e| e.to_string())?;
    let places = words.flows.places(&alive).map(|text| PlaceList::parse(&text));
    let places = places.transpose().map_err(|e| e.to_string())?;
    let separate = words.flows == Traffic::Separate;
    let (flows, places) = (flows.as_ref(), places.as_ref());
    let network = Network::wanted(&Wanted { flows, places, separate, ..wanted });
    let network = network.map_err(|e| e.to_string())?;
    match network.certificate() {
        Some(_) => Ok(network),
        None => Err("not deadlock-free".to_owned()),
    }
}

/// Emits the fabric, reads it with every lint, runs its testbench on Icarus, and its RTL in
/// lockstep with the reference router.
///
/// # Errors
/// The first thing that is wrong.
pub fn run(
    plan: FabricPlan,
    vcs: Option<u8>,
    core: Option<[&'static str; 3]>,
) -> Result<(), String> {
    if let Some(vcs) = vcs.filter(|&vcs| plan.relation().vcs() > vcs) {
        return Err(format!("{} VCs, not {vcs} at most", plan.relation().vcs()));
    }
    let p = plan.parameters;
    let vlnv = match core {
        Some([vendor, library, version]) => Vlnv::new(Some(vendor), Some(library), Some(version)),
        None => Ok(Vlnv::default()),
    };
    let vlnv = vlnv.map_err(|e| e.to_string())?;
    let fabric = Fabric::with_core(plan, &vlnv);
    let name = &fabric.plan.name;
    let file = fs::read_to_string(fabric.folder().join(format!("{name}.core")));
    if !file.expect("a core").contains(&format!("\nname: {}\n", vlnv.of(name))) {
        return Err(format!("the core is not called {}", vlnv.of(name)));
    }
    if let Some(report) = every(&fabric.sources()).into_iter().find(|report| !report.is_clean()) {
        return Err(report.to_string());
    }
    let cycles = cycles(&p);
    let stimulus = Arc::new(bursts(&fabric.plan, 1, cycles));
    let dut = FabricDut::new(&fabric.plan).map_err(|e| e.to_string())?;
    let recording = run_fabric(dut, &fabric.plan, &stimulus, Until::Cycle(cycles), None)
        .map_err(|e| format!("lockstep: {e}"))?;
    if recording.delivered == 0 {
        return Err("lockstep: nothing was delivered".to_owned());
    }
    if fabric.plan.has_interfaces() {
        interfaces::check(&fabric.plan)?;
        clocks::check(&fabric.plan)?;
    }
    if fabric.plan.has_counters() {
        counters::check(&fabric.plan)?;
    }
    if fabric.plan.topology().terminals() * p.depth > MOST_PLACES {
        return Ok(());
    }
    let Some(icarus) = require::<Icarus>() else { return Ok(()) };
    let report =
        icarus.simulate_with(&fabric.with_testbench(), &testbench(&fabric.plan), &[], LIMIT);
    match report.is_clean() && report.run.stdout.starts_with("PASS: ") {
        true => Ok(()),
        false => Err(report.to_string()),
    }
}

/// Cycles in lockstep: a queue's places are gone through more than once.
fn cycles(p: &Parameters) -> u64 {
    400 + 4 * u64::from(p.depth)
}

/// The testbench's last three phases, shorter than by default: Icarus takes its time. A packet
/// of the last one is four times as long as a queue is deep.
fn testbench(plan: &FabricPlan) -> [(&'static str, u32); 3] {
    let large = plan.parameters.depth > 100 || plan.topology().terminals() > 8;
    let (pairs, bursts) = if large { (3, 1) } else { (4, 4) };
    [("PAIRS", pairs), ("BURSTS", bursts), ("FLOOD", 1)]
}
