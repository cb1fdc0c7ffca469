//! Software at the counters of a fabric: reads and writes over AXI4-Lite, and a sink that takes nothing.

use super::interfaces::Endless;
use super::ticks::Ticks;
use std::collections::HashMap;
use turnpike_fabric::plan::counters::{HANG_PORT, axi_port, axi_signals, map_bits};
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Cycles of the slowest clock within which a reset ends, at most.
const RESET_CYCLES: u64 = 64;
/// Cycles within which the counters answer.
const SOON: u32 = 16;

/// Times that a flit takes at the slowest terminal, within which a word is taken, where sinks are ready.
const LONG: u64 = 2_000;

/// Queues that a packet may stand in, about.
const QUEUES: u64 = 8;
/// Limit of the watchdog in a check, at least: longer than the waits of a lone packet.
const LEAST_LIMIT: u64 = 300;
/// Times that a flit takes at the slowest terminal, after which no word is on its way, where no sink has
/// been offered any.
const SILENT: u64 = 64;

/// Software at the counters of a plan's top module.
pub struct Software<'a> {
    dut: &'a mut Dut,
    ticks: Ticks,
    ports: HashMap<&'static str, NetId>,
    hang: NetId,
    /// Sources that send through shapers.
    shaped: Vec<Endless>,
}

impl<'a> Software<'a> {
    /// Software in the clock of the network. `seed` draws the clocks, as in a bench.
    pub fn new(dut: &'a mut Dut, plan: &FabricPlan, seed: u64) -> Self {
        let ticks = Ticks::new(dut, plan, seed);
        let bits = map_bits(plan.counter_ports().len() as u32);
        let port = |(signal, ..): (&'static str, u32, bool)| (signal, dut.port(&axi_port(signal)));
        let ports = axi_signals(bits).map(port).into();
        let hang = dut.port(HANG_PORT);
        Self { dut, ticks, ports, hang, shaped: Vec::new() }
    }

    fn set(&mut self, signal: &str, value: u64) {
        self.dut.set(self.ports[signal], value);
    }

    fn get(&mut self, signal: &str) -> u64 {
        self.dut.settle();
        self.dut.get(self.ports[signal])
    }

    /// Sets a port of the top module.
    pub fn set_port(&mut self, name: &str, value: u64) {
        let port = self.dut.port(name);
        self.dut.set(port, value);
    }

    /// Whether the watchdog tells of a flit.
    pub fn hangs(&mut self) -> bool {
        self.dut.settle();
        self.dut.get(self.hang) == 1
    }

    /// A cycle of the network's clock.
    pub fn cycle(&mut self) {
        loop {
            let has = self.ticks.coming();
            self.shaped.iter_mut().for_each(|source| source.before(self.dut, &has));
            self.ticks.edge(self.dut, &has);
            if has[0] {
                return;
            }
        }
    }

    /// Waits until a signal is high.
    fn wait(&mut self, signal: &str) -> Result<(), String> {
        for _ in 0..SOON {
            if self.get(signal) == 1 {
                return Ok(());
            }
            self.cycle();
        }
        Err(format!("{} does not come within {SOON} cycles", axi_port(signal)))
    }

    /// Waits for an answer, which stays for `pause` cycles until it is taken, and takes it; in all that time no
    /// other of its kind is. `channels` are those of the address and of the answer, `parts` what the answer
    /// says.
    fn answer<const N: usize>(
        &mut self,
        channels: [&str; 2],
        parts: [&str; N],
        pause: u32,
    ) -> Result<[u64; N], String> {
        let [taken, valid, ready] = [(0, "ready"), (1, "valid"), (1, "ready")]
            .map(|(at, end)| channels[at].to_owned() + end);
        let mut found = None;
        let mut left = pause;
        for at in 0..SOON + pause {
            if self.get(&taken) == 1 {
                return Err(format!("{} is high before an answer was taken", axi_port(&taken)));
            }
            let comes = at < SOON && self.get(&valid) == 1;
            if comes || found.is_some() {
                let now = (self.get(&valid), parts.map(|part| self.get(part)));
                if *found.get_or_insert(now) != now {
                    return Err("an answer does not stay until it is taken".to_owned());
                }
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            self.cycle();
        }
        let (_, answer) =
            found.ok_or_else(|| format!("no {} within {SOON} cycles", axi_port(&valid)))?;
        self.set(&ready, 1);
        self.cycle();
        self.set(&ready, 0);
        match self.get(&valid) {
            0 => Ok(answer),
            _ => Err("there are two answers".to_owned()),
        }
    }

    /// Reads a register: its word, and the answer (`rresp`), which waits for `rready` for `pause` cycles.
    ///
    /// # Errors
    /// A handshake that does not come.
    pub fn read(&mut self, address: u32, pause: u32) -> Result<(u64, u64), String> {
        self.set("araddr", address.into());
        self.set("arvalid", 1);
        self.wait("arready")?;
        self.cycle();
        self.set("arvalid", 0);
        self.set("araddr", 0);
        let [word, answer] = self.answer(["ar", "r"], ["rdata", "rresp"], pause)?;
        Ok((word, answer))
    }

    /// Writes the bytes of a register that `strobes` names. Returns the answer (`bresp`), which waits for
    /// `bready` for `pause` cycles; the address comes as many cycles before the data.
    ///
    /// # Errors
    /// A handshake that does not come.
    pub fn write(
        &mut self,
        address: u32,
        word: u64,
        strobes: u64,
        pause: u32,
    ) -> Result<u64, String> {
        self.set("awaddr", address.into());
        self.set("wdata", word);
        self.set("wstrb", strobes);
        self.set("awvalid", 1);
        for _ in 0..pause {
            if self.get("awready") == 1 {
                return Err("an address is taken without its data".to_owned());
            }
            self.cycle();
        }
        self.set("wvalid", 1);
        self.wait("awready")?;
        self.wait("wready")?;
        self.cycle();
        self.set("awvalid", 0);
        self.set("wvalid", 0);
        let [answer] = self.answer(["aw", "b"], ["bresp"], pause)?;
        Ok(answer)
    }

    /// A reset of one cycle while a write and a read are on their way, the read for `cycles`. Both are asked
    /// for under reset, too, and not after it; so is a word of a terminal.
    ///
    /// # Errors
    /// What is left of them after it.
    pub fn reset_between(
        &mut self,
        plan: &FabricPlan,
        from: Terminal,
        cycles: u32,
    ) -> Result<(), String> {
        for signal in ["awvalid", "wvalid", "arvalid"] {
            self.set(signal, 1);
        }
        (0..cycles).for_each(|_| self.cycle());
        self.end_shaped();
        self.ticks.set_reset(self.dut, true);
        for signal in ["awready", "wready", "arready"] {
            if self.get(signal) == 1 {
                return Err(format!("{} is high under reset", axi_port(signal)));
            }
        }
        self.cycle();
        self.ticks.set_reset(self.dut, false);
        for signal in ["awvalid", "wvalid", "arvalid"] {
            self.set(signal, 0);
        }
        self.set_port(&plan.port_name(Side::Source, from, "valid"), 0);
        for _ in 0..SOON {
            for signal in ["bvalid", "rvalid"] {
                if self.get(signal) == 1 {
                    return Err(format!("{} outlives a reset", axi_port(signal)));
                }
            }
            self.cycle();
        }
        Ok(())
    }

    /// A reset of one cycle, which lasts for longer where there are several clocks, until the counters take a
    /// read again.
    ///
    /// # Errors
    /// A reset that does not end.
    pub fn short_reset(&mut self) -> Result<(), String> {
        self.end_shaped();
        self.ticks.set_reset(self.dut, true);
        self.cycle();
        self.ticks.set_reset(self.dut, false);
        let most = RESET_CYCLES * self.ticks.slowest() * self.ticks.count() as u64;
        for _ in 0..most {
            if self.get("arready") == 1 {
                return Ok(());
            }
            self.cycle();
        }
        Err("a reset does not end".to_owned())
    }

    /// Lets a terminal send words of one packet to another; through a shaper, which takes none without end, of many
    /// packets.
    ///
    /// # Errors
    /// A terminal whose first word is not taken.
    pub fn send(&mut self, plan: &FabricPlan, from: Terminal, to: Terminal) -> Result<(), String> {
        if plan.shaper_of(from).is_some() {
            self.shaped.push(Endless::new(self.dut, &self.ticks, plan, [from, to])?);
            return Ok(());
        }
        let port = |signal| plan.port_name(Side::Source, from, signal);
        self.set_port(&port("valid"), 1);
        self.set_port(&port("last"), 0);
        if !plan.signals(Side::Source).iter().any(|signal| signal.name == "dest") {
            return Ok(());
        }
        let address = u64::from(plan.address(to));
        self.set_port(&port("dest"), address);
        if plan.clock(from).is_some() {
            return Ok(());
        }
        self.take(plan, &port("ready"))?;
        // The first word alone says where the packet goes.
        self.set_port(&port("dest"), address ^ 1);
        Ok(())
    }

    /// Lets the packets of terminals end, where sinks take what comes: one may wait for the other.
    ///
    /// # Errors
    /// A terminal whose last word is not taken.
    pub fn end(&mut self, plan: &FabricPlan, sources: &[Terminal]) -> Result<(), String> {
        let port = |from, signal| plan.port_name(Side::Source, from, signal);
        // A shaper keeps a packet to itself that has not ended.
        self.end_shaped();
        let sources = sources.iter().copied().filter(|&from| plan.shaper_of(from).is_none());
        let (mut left, clocked): (Vec<Terminal>, Vec<Terminal>) =
            sources.partition(|&from| plan.clock(from).is_none());
        left.iter().chain(&clocked).for_each(|&from| self.set_port(&port(from, "last"), 1));
        for _ in 0..self.cycles_a_flit(plan) * LONG {
            if left.is_empty() {
                break;
            }
            self.dut.settle();
            let is_taken = |&from: &Terminal| {
                let ready = self.dut.port(&port(from, "ready"));
                self.dut.get(ready) == 1
            };
            let (taken, others) = left.into_iter().partition(is_taken);
            left = others;
            self.cycle();
            for from in Vec::<Terminal>::into_iter(taken) {
                self.set_port(&port(from, "valid"), 0);
            }
        }
        if let Some(&from) = left.first() {
            return Err(format!("{} does not come", port(from, "ready")));
        }
        // In a clock of its own words are not taken one by one here: some more packets of a word follow.
        // They may stand behind all that the queues hold.
        let flits = SILENT + QUEUES * u64::from(plan.parameters.depth);
        let most = if clocked.is_empty() { 0 } else { self.cycles_a_flit(plan) * flits };
        (0..most).for_each(|_| self.cycle());
        clocked.iter().for_each(|&from| self.set_port(&port(from, "valid"), 0));
        Ok(())
    }

    /// Lets no source send through its shaper.
    fn end_shaped(&mut self) {
        std::mem::take(&mut self.shaped).into_iter().for_each(|source| source.end(self.dut));
    }

    /// Goes on until no sink has been offered a word for so long that none is on its way.
    pub fn drain(&mut self, plan: &FabricPlan) {
        let valid = |&sink: &Terminal| self.dut.port(&plan.port_name(Side::Sink, sink, "valid"));
        let ports: Vec<NetId> = plan.terminals_of(Side::Sink).iter().map(valid).collect();
        let most = self.cycles_a_flit(plan) * SILENT;
        let mut silent = 0;
        while silent < most {
            self.cycle();
            self.dut.settle();
            let offers = ports.iter().any(|port| self.dut.get(*port) == 1);
            silent = if offers { 0 } else { silent + 1 };
        }
    }

    /// Limit of the watchdog for a check: longer than any wait where sinks take what they are offered, and
    /// sources do not wait for each other.
    pub fn limit(&self, plan: &FabricPlan) -> u64 {
        (8 * self.cycles_a_flit(plan)).max(LEAST_LIMIT)
    }

    /// Cycles of the network that a flit takes at the slowest terminal, at most.
    fn cycles_a_flit(&self, plan: &FabricPlan) -> u64 {
        let words = plan.parameters.width.div_ceil(plan.narrowest());
        u64::from(words) * self.ticks.slowest()
    }

    /// Lets all sinks take what they are offered, or none.
    pub fn set_sinks(&mut self, plan: &FabricPlan, ready: bool) {
        for &sink in plan.terminals_of(Side::Sink) {
            self.set_port(&plan.port_name(Side::Sink, sink, "ready"), ready.into());
        }
    }

    /// Waits for the cycle in which a word that is offered is taken.
    fn take(&mut self, plan: &FabricPlan, ready: &str) -> Result<(), String> {
        let port = self.dut.port(ready);
        let most = self.cycles_a_flit(plan) * LONG;
        for _ in 0..most {
            self.dut.settle();
            let is_ready = self.dut.get(port) == 1;
            self.cycle();
            if is_ready {
                return Ok(());
            }
        }
        Err(format!("{ready} does not come within {most} cycles"))
    }
}
