//! The testbench of the round-robin arbiter: random requests against a model, cycle for cycle.

use super::failure::{bit, words};
use super::{Bench, Failure, Flow, RESET_EVERY, is_reset};
use turnpike_fabric::plan::Granting;
use turnpike_sim_network::traffic::random::Random;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// The arbiter as its contract has it.
#[derive(Clone, Debug)]
pub struct ArbiterModel {
    n: usize,
    owner: usize,
    locked: bool,
}

impl ArbiterModel {
    /// After reset: the search starts at request 0.
    pub fn new(n: usize) -> Self {
        Self { n, owner: n - 1, locked: false }
    }

    /// Request that is granted: the holder's while its packet is on the way, else the first after
    /// the last owner.
    pub fn grant(&self, requests: &[bool]) -> Option<usize> {
        match self.locked {
            true => requests[self.owner].then_some(self.owner),
            false => (1..=self.n).map(|i| (self.owner + i) % self.n).find(|&i| requests[i]),
        }
    }

    /// The clock's edge: `done` where the granted flit leaves and is its packet's last.
    pub fn clock(&mut self, requests: &[bool], done: bool) {
        if let Some(granted) = self.grant(requests) {
            (self.owner, self.locked) = (granted, !done);
        }
    }
}

/// The arbiter with its grant in a register.
#[derive(Clone, Debug)]
pub struct RegisteredArbiterModel {
    n: usize,
    /// The search starts after this one: who was granted a cycle before.
    owner: usize,
    grant: Option<usize>,
}

impl RegisteredArbiterModel {
    /// After reset: nobody is granted, and the search starts at request 0.
    pub fn new(n: usize) -> Self {
        Self { n, owner: n - 1, grant: None }
    }

    /// Request that is granted, whatever requests now.
    pub fn grant(&self) -> Option<usize> {
        self.grant
    }

    /// The clock's edge: `done` where the granted flit leaves and is its packet's last.
    pub fn clock(&mut self, requests: &[bool], done: bool) {
        let granted = self.grant;
        if granted.is_none() || done {
            let mut order = (1..=self.n).map(|i| (self.owner + i) % self.n);
            self.grant = order.find(|&i| requests[i] && granted != Some(i));
        }
        self.owner = granted.unwrap_or(self.owner);
    }
}

/// The arbiter with its grant in a register whose requests are of the cycle in which it stands.
#[derive(Clone, Debug)]
pub struct AheadArbiterModel {
    n: usize,
    grant: Option<usize>,
}

impl AheadArbiterModel {
    /// After reset: nobody is granted.
    pub fn new(n: usize) -> Self {
        Self { n, grant: None }
    }

    /// The clock's edge: `done` where the granted flit leaves and is its packet's last.
    pub fn clock(&mut self, requests: &[bool], done: bool) {
        if self.grant.is_none() || done {
            // Behind who is granted, or from request 0 up.
            let owner = self.grant.unwrap_or(self.n - 1);
            let mut order = (1..=self.n).map(|i| (owner + i) % self.n);
            self.grant = order.find(|&i| requests[i]);
        }
    }
}

/// The three arbiters as one.
#[derive(Clone, Debug)]
pub enum AnyArbiter {
    /// Arbiter whose choice counts in the same cycle.
    Direct(ArbiterModel),
    /// Arbiter whose choice counts from the next cycle on.
    Registered(RegisteredArbiterModel),
    /// Arbiter whose choice counts from the next cycle on, as its requests do.
    Ahead(AheadArbiterModel),
}

impl AnyArbiter {
    /// After reset.
    pub fn new(granting: Granting, n: usize) -> Self {
        match granting {
            Granting::AtOnce => Self::Direct(ArbiterModel::new(n)),
            Granting::Registered => Self::Registered(RegisteredArbiterModel::new(n)),
            Granting::Ahead => Self::Ahead(AheadArbiterModel::new(n)),
        }
    }

    pub fn grant(&self, requests: &[bool]) -> Option<usize> {
        match self {
            Self::Direct(model) => model.grant(requests),
            Self::Registered(model) => model.grant(),
            Self::Ahead(model) => model.grant,
        }
    }

    /// The clock's edge.
    pub fn clock(&mut self, requests: &[bool], done: bool) {
        match self {
            Self::Direct(model) => model.clock(requests, done),
            Self::Registered(model) => model.clock(requests, done),
            Self::Ahead(model) => model.clock(requests, done),
        }
    }

    fn granting(&self) -> Granting {
        match self {
            Self::Direct(_) => Granting::AtOnce,
            Self::Registered(_) => Granting::Registered,
            Self::Ahead(_) => Granting::Ahead,
        }
    }

    /// Packets that may pass over a request.
    pub fn most_passed(&self) -> usize {
        match self {
            Self::Direct(model) => model.n,
            Self::Registered(model) => 2 * (model.n - 1),
            Self::Ahead(model) => model.n - 1,
        }
    }

    /// Whether a packet of request `i` is under way, so that the request may pause.
    fn holds(&self, i: usize) -> bool {
        match self {
            Self::Direct(model) => model.locked && model.owner == i,
            Self::Registered(model) => model.grant == Some(i),
            Self::Ahead(model) => model.grant == Some(i),
        }
    }
}

/// The bench of `rtl::arbiter`, `rtl::registered_arbiter` and `rtl::ahead_arbiter`.
///
/// It asks as queues do: a request stands until its packet is through, but may pause between
/// two flits. No request may be passed over by more than the others once each.
#[derive(Debug)]
pub struct ArbiterBench {
    request: NetId,
    done: NetId,
    grant: NetId,
    model: AnyArbiter,
    random: Random,
    cycles: u64,
    clock: u64,
    /// Whether this cycle is under reset.
    reset: bool,
    requests: Vec<bool>,
    is_done: bool,
    /// Per request: packets of others that ended since it began to wait.
    passed: Vec<usize>,
    /// Packets that ended.
    pub packets: u64,
}

impl ArbiterBench {
    /// A bench of that many cycles for an arbiter of `n` requests.
    pub fn new(dut: &Dut, granting: Granting, n: u32, cycles: u64, seed: u64) -> Self {
        Self {
            request: dut.port("request"),
            done: dut.port("done"),
            grant: dut.port("grant"),
            model: AnyArbiter::new(granting, n as usize),
            random: Random::new(seed),
            cycles,
            clock: 0,
            reset: false,
            requests: vec![false; n as usize],
            is_done: false,
            passed: vec![0; n as usize],
            packets: 0,
        }
    }
}

impl Bench<Dut> for ArbiterBench {
    fn drive(&mut self, dut: &mut Dut) -> Result<(), Failure> {
        self.reset = is_reset(self.clock, RESET_EVERY);
        dut.set_reset(self.reset);
        let load = [10, 40, 100][(self.clock / 50 % 3) as usize];
        for i in 0..self.requests.len() {
            let holder = self.model.holds(i);
            self.requests[i] = match self.requests[i] && !holder {
                true => true,
                false => self.random.below(100) < load,
            };
        }
        let granted = self.model.grant(&self.requests);
        let leaves = granted.is_some_and(|g| self.requests[g]);
        self.is_done = leaves && self.random.below(3) == 0;
        let bits = self.requests.iter().rev().fold(0, |v, &r| v << 1 | u64::from(r));
        dut.set(self.request, bits);
        dut.set(self.done, self.is_done.into());
        Ok(())
    }

    fn check(&mut self, dut: &Dut) -> Result<Flow, Failure> {
        self.clock += 1;
        if self.reset {
            self.model = AnyArbiter::new(self.model.granting(), self.requests.len());
            self.requests.fill(false);
            self.passed.fill(0);
            return Ok(Flow::On);
        }
        let cycle = self.clock - 2;
        let granted = self.model.grant(&self.requests);
        let expected = granted.map_or(0, |g| 1 << g);
        words(cycle, "grant", &[expected], std::iter::once(dut.get(self.grant)))?;
        for i in 0..self.requests.len() {
            if !self.requests[i] || granted == Some(i) {
                self.passed[i] = 0;
            } else if self.is_done {
                self.passed[i] += 1;
                let fair = self.passed[i] <= self.model.most_passed();
                bit(cycle, format!("fairness to request {i}"), true, fair)?;
            }
        }
        self.model.clock(&self.requests, self.is_done);
        if let (Some(granted), true) = (granted, self.is_done) {
            self.requests[granted] = false;
            self.packets += 1;
        }
        Ok(if self.clock > self.cycles { Flow::Done } else { Flow::On })
    }
}
