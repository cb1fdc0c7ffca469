//! Clocks of a bench: their edges, one after the other or at once.

use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, ResetStyle};
use turnpike_netlist::CLOCK;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Steps of the shortest period: each edge comes a step early or late, at random, so that phases drift.
const STEPS: u64 = 3;
/// The longest period, in the shortest.
const MOST_RATIO: u64 = 7;

/// A clock of the top module, and its next edge.
struct Clock {
    name: String,
    /// The port, where clocks are ports of their own.
    port: Option<NetId>,
    /// The net of its reset, active high, where the top has one for each clock.
    reset: Option<NetId>,
    /// Steps from an edge to the next.
    period: u64,
    next: u64,
}

/// Clocks of a bench. That of the network comes first.
pub struct Ticks {
    clocks: Vec<Clock>,
    /// The port of the reset, and its level under reset, where clocks are ports of their own.
    reset: Option<(NetId, u64)>,
    seed: u64,
    edges: u64,
}

impl Ticks {
    /// Clocks of a plan's top module, whose periods are drawn: from 1 to [`MOST_RATIO`] of the shortest.
    pub fn new(dut: &Dut, plan: &FabricPlan, seed: u64) -> Self {
        let others = plan.clocks();
        let clock = |at: usize, name: &str, is_port: bool| {
            let period = STEPS * (1 + hash(seed, &[at as u64]) % MOST_RATIO);
            let what = format!("reset of {name}");
            let module = dut.evaluator().module();
            let reset = module.probe(&what).and_then(|net| dut.evaluator().find(&net.name));
            let port = is_port.then(|| dut.port(name));
            Clock { name: name.to_owned(), port, reset, period, next: period }
        };
        let own = clock(0, CLOCK, !others.is_empty());
        let others_too = others.iter().enumerate().map(|(at, name)| clock(at + 1, name, true));
        let clocks = std::iter::once(own).chain(others_too).collect();
        let style = plan.parameters.reset;
        let level = u64::from(style == ResetStyle::High);
        let reset = (!others.is_empty()).then(|| (dut.port(style.port()), level));
        Self { clocks, reset, seed, edges: 0 }
    }

    /// The place of a terminal's clock.
    pub fn of(&self, clock: Option<&str>) -> usize {
        let name = clock.unwrap_or(CLOCK);
        self.clocks.iter().position(|clock| clock.name == name).expect("a clock of the plan")
    }

    /// Number of clocks.
    pub fn count(&self) -> usize {
        self.clocks.len()
    }

    /// Whether a clock is under reset, as its registers see it.
    pub fn is_reset(&self, dut: &Dut, clock: usize) -> bool {
        self.clocks[clock].reset.is_some_and(|net| dut.get(net) == 1)
    }

    /// The longest period, in the shortest that there may be.
    pub fn slowest(&self) -> u64 {
        self.clocks.iter().map(|clock| clock.period / STEPS).max().unwrap_or(1)
    }

    /// Sets the reset of the top module.
    pub fn set_reset(&self, dut: &mut Dut, reset: bool) {
        match self.reset {
            None => dut.set_reset(reset),
            Some((port, level)) => dut.set(port, u64::from(reset) ^ 1 ^ level),
        }
    }

    /// The clocks that have the next edge, all at once.
    pub fn coming(&mut self) -> Vec<bool> {
        let now = self.clocks.iter().map(|clock| clock.next).min().expect("a clock");
        let is_one = self.clocks.len() == 1;
        let mut edge = |clock: &mut Clock| {
            let has = clock.next == now;
            if has {
                self.edges += 1;
                let drift = if is_one { 1 } else { hash(self.seed, &[self.edges]) % 3 };
                clock.next += clock.period + drift - 1;
            }
            has
        };
        self.clocks.iter_mut().map(&mut edge).collect()
    }

    /// The edge of these clocks.
    pub fn edge(&self, dut: &mut Dut, has: &[bool]) {
        for (clock, has) in self.clocks.iter().zip(has) {
            if let Some(port) = clock.port {
                dut.set(port, u64::from(*has));
            }
        }
        dut.clock();
    }
}
