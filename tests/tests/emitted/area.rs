//! Synthesis by Yosys for iCE40 and ECP5, flattened, one switch.
//!
//! The peers' switches of five ports take 966 LUTs (iCE40) and 699 LUTs (ECP5) at best, by
//! Yosys 0.23. Later versions of Yosys spend a LUT more per bit on a four-to-one multiplexer of
//! an iCE40, so the pinned one is held to figures of its own: see `docs/hardware.md`.

use turnpike_fabric::plan::Parameters;
use turnpike_fabric::rtl::fabric;
use turnpike_fabric::testing::{FABRICS, MORE_FABRICS, Named};
use turnpike_flow::target::Family;
use turnpike_netlist::{Item, Memory, Module};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

/// The switch of a fabric whose switches are all alike.
fn only_switch(fabric: &Fabric) -> Sources {
    let mut switches = fabric.switches();
    let switch = switches.next().unwrap();
    assert!(switches.next().is_none(), "switches of several classes");
    switch
}

#[test]
fn the_four_cube_switch_is_small() {
    let Some(yosys) = require::<Yosys>() else { return };
    // A LUT-RAM holds 4 bits of 16 words. Flits have 33 bits. With the header bits that are still
    // looked at ecube's queues, inject's first, are 37, 36, 35, 34 and 33 bits wide: 10 RAMs and
    // 4 times 9. Rotation's are 41, 35, 35, 35, 33, 36 and 34: 11 and 6 times 9.
    for (routing, ice40, ecp5, rams) in [("ecube", 1030, 520, 46), ("rotation", 1480, 640, 65)] {
        let fabric = Fabric::hypercube(routing, 4, Parameters::default());
        let switch = only_switch(&fabric);
        let small = yosys.synth_ice40(&switch).unwrap_or_else(|r| panic!("{r}"));
        let large = yosys.synth_ecp5(&switch).unwrap_or_else(|r| panic!("{r}"));
        println!("{routing}: iCE40 {} LUTs, ECP5 {} LUTs", small.luts(), large.luts());
        assert!(small.luts() <= ice40, "{routing}: {} LUTs on iCE40", small.luts());
        assert!(large.luts() <= ecp5, "{routing}: {} LUTs on ECP5", large.luts());
        assert_eq!(large.lut_rams(), rams, "{routing}: queues map to LUT-RAM on ECP5");
    }
}

/// Deep queues go to block RAM on both families.
#[test]
fn deep_queues_use_block_ram() {
    let Some(yosys) = require::<Yosys>() else { return };
    let parameters = Parameters { depth: 256, ..Parameters::default() };
    let fabric = Fabric::hypercube("ecube", 2, parameters);
    let switch = only_switch(&fabric);
    let cells = yosys.synth_ice40(&switch).unwrap_or_else(|r| panic!("{r}"));
    assert!(cells.block_rams() >= 3, "{cells:?}");
    let cells = yosys.synth_ecp5(&switch).unwrap_or_else(|r| panic!("{r}"));
    assert!(cells.block_rams() >= 3, "{cells:?}");
}

/// What a netlist holds, instance by instance: what its cells are counted against.
#[derive(Default)]
struct Contents {
    /// Bits of registers.
    registers: u64,
    /// Width and depth of each memory.
    memories: Vec<(u64, u64)>,
    /// Width and number of sources of each multiplexer.
    multiplexers: Vec<(u64, u64)>,
}

impl Contents {
    fn add(&mut self, module: &Module) {
        for item in &module.items {
            match item {
                Item::Registers(list) => {
                    self.registers += list.iter().map(|r| u64::from(r.net.width)).sum::<u64>();
                }
                Item::Instance(instance) => self.add(&instance.module),
                _ => {}
            }
        }
        let memory = |m: &Memory| (u64::from(m.width), u64::from(m.depth));
        self.memories.extend(module.memories.iter().map(memory));
        if let (Some(select), Some(out)) = (module.port("select"), module.port("out")) {
            self.multiplexers.push((out.width.into(), select.width.into()));
        }
    }

    /// The least look-up tables of four inputs for the multiplexers. A bit of one depends on its
    /// sources and on a select of at least their number's logarithm; the first table takes in
    /// four signals, each other one three more.
    fn least_luts(&self) -> u64 {
        let each = |&(width, sources): &(u64, u64)| {
            let inputs = sources + u64::from(sources.next_power_of_two().ilog2());
            width * (inputs - 1).div_ceil(3)
        };
        self.multiplexers.iter().map(each).sum()
    }
}

/// Whole fabrics synthesise too, to the cells that their netlists ask for. Where the switches of
/// a fabric are not alike, routes leave some bits of some queues constant, and fewer will do.
fn synthesises(named: Named) {
    let Some(yosys) = require::<Yosys>() else { return };
    let fabric = Fabric::of(named, Parameters { width: 8, ..Default::default() });
    let alike = named.starts_with("hypercube ") && fabric.switches().count() == 1;
    let mut contents = Contents::default();
    contents.add(fabric::fabric(&fabric.plan).unwrap().top());
    for family in [Family::Ice40, Family::Ecp5] {
        let cells = yosys.synth(&fabric.sources(), family).unwrap_or_else(|r| panic!("{r}"));
        let held = |what: &str, found: u64, least: u64, most: u64| {
            let least = if alike { least } else { 0 };
            let range = least..=most;
            assert!(range.contains(&found), "{named:?} {family:?} {what}: {found} in {range:?}");
        };
        // Queues of four flits are LUT-RAM of 16 words by 4 bits where there is some, else
        // flip-flops.
        let bits = contents.memories.iter().map(|(width, depth)| width * depth).sum::<u64>();
        let rams = contents.memories.iter().map(|(width, _)| width.div_ceil(4)).sum::<u64>();
        let (rams, bits) = if family == Family::Ecp5 { (rams, 0) } else { (0, bits) };
        held("LUT-RAMs", cells.lut_rams(), rams, rams);
        // Yosys may give the four states of a ring counter four bits in place of two.
        let (least, queues) = (contents.registers + bits, contents.memories.len() as u64);
        held("flip-flops", cells.flip_flops(), least, least + 4 * queues);
        held("LUTs", cells.luts(), contents.least_luts(), u64::MAX);
    }
}

#[test]
fn whole_fabrics_synthesise() {
    for fabric in ["hypercube 2 rotation", "arc-cube 2 shortest"] {
        synthesises(fabric);
    }
}

#[test]
#[ignore = "minutes: `make test-all`"]
fn every_fabric_synthesises() {
    FABRICS.iter().chain(MORE_FABRICS).for_each(|&fabric| synthesises(fabric));
}
