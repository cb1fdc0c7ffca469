//! Software at the counters of a fabric: reads and writes over AXI4-Lite, and a sink that takes nothing.

use super::ticks::Ticks;
use std::collections::HashMap;
use turnpike_fabric::plan::counters::{HANG_PORT, map_bits};
use turnpike_fabric::plan::{FabricPlan, Side};
use turnpike_fabric::rtl::counters::{axi_port, axi_signals};
use turnpike_network::topology::Terminal;
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Cycles within which the counters answer.
const SOON: u32 = 16;

/// Cycles within which a word is taken, where sinks are ready.
const LONG: u32 = 10_000;

/// Cycles after which no word is on its way, where no sink has been offered any.
const SILENT: u32 = 512;

/// Software at the counters of a plan's top module.
pub struct Software<'a> {
    dut: &'a mut Dut,
    ticks: Ticks,
    ports: HashMap<&'static str, NetId>,
    hang: NetId,
    /// Cycles that the read on its way has waited.
    waited: u32,
}

impl<'a> Software<'a> {
    /// Software in the clock of the network. `seed` draws the clocks, as in a bench.
    pub fn new(dut: &'a mut Dut, plan: &FabricPlan, seed: u64) -> Self {
        let ticks = Ticks::new(dut, plan, seed);
        let bits = map_bits(plan.counter_ports().len() as u32);
        let port = |(signal, ..): (&'static str, u32, bool)| (signal, dut.port(&axi_port(signal)));
        let ports = axi_signals(bits).map(port).into();
        let hang = dut.port(HANG_PORT);
        Self { dut, ticks, ports, hang, waited: 0 }
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

    /// Whether the watchdog has barked.
    pub fn hangs(&mut self) -> bool {
        self.dut.settle();
        self.dut.get(self.hang) == 1
    }

    /// A cycle of the network's clock.
    pub fn cycle(&mut self) {
        loop {
            let has = self.ticks.coming();
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

    /// Whether no other read is taken before this one is answered, and whether that comes soon.
    fn one_at_a_time(&mut self) -> Result<(), String> {
        self.waited += 1;
        match (self.get("arready"), self.waited > SOON) {
            (0, false) => Ok(()),
            (_, true) => Err(format!("a read is not answered within {SOON} cycles")),
            _ => Err("a read is taken before the one before was answered".to_owned()),
        }
    }

    /// Reads a register: its word, and the answer (`rresp`), which waits for `rready` for `pause` cycles.
    ///
    /// # Errors
    /// A handshake that does not come.
    pub fn read(&mut self, address: u32, pause: u32) -> Result<(u64, u64), String> {
        self.waited = 0;
        self.set("araddr", address.into());
        self.set("arvalid", 1);
        self.wait("arready")?;
        self.cycle();
        self.set("arvalid", 0);
        self.set("araddr", 0);
        while self.get("rvalid") == 0 {
            self.one_at_a_time()?;
            self.cycle();
        }
        let answer = (self.get("rdata"), self.get("rresp"));
        for _ in 0..pause {
            self.one_at_a_time()?;
            self.cycle();
            if self.get("rvalid") == 0 || (self.get("rdata"), self.get("rresp")) != answer {
                return Err("an answer does not stay until it is taken".to_owned());
            }
        }
        self.set("rready", 1);
        self.cycle();
        self.set("rready", 0);
        match self.get("rvalid") {
            0 => Ok(answer),
            _ => Err("one read has two answers".to_owned()),
        }
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
        self.wait("bvalid")?;
        let answer = self.get("bresp");
        for _ in 0..pause {
            self.cycle();
            if self.get("bvalid") == 0 || self.get("bresp") != answer {
                return Err("an answer does not stay until it is taken".to_owned());
            }
        }
        self.set("bready", 1);
        self.cycle();
        self.set("bready", 0);
        match self.get("bvalid") {
            0 => Ok(answer),
            _ => Err("one write has two answers".to_owned()),
        }
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
        self.ticks.set_reset(self.dut, true);
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

    /// Lets a terminal send words of one packet to another, and no sink take anything.
    ///
    /// # Errors
    /// A terminal whose first word is not taken.
    pub fn send(&mut self, plan: &FabricPlan, from: Terminal, to: Terminal) -> Result<(), String> {
        self.set_sinks(plan, false);
        let port = |signal| plan.port_name(Side::Source, from, signal);
        self.set_port(&port("valid"), 1);
        self.set_port(&port("last"), 0);
        if !plan.signals(Side::Source).iter().any(|signal| signal.name == "dest") {
            return Ok(());
        }
        let address = u64::from(plan.topology().address(to).0);
        self.set_port(&port("dest"), address);
        if plan.clock(from).is_some() {
            return Ok(());
        }
        self.take(&port("ready"))?;
        // The first word alone says where the packet goes.
        self.set_port(&port("dest"), address ^ 1);
        Ok(())
    }

    /// Lets the packet of a terminal end, and all sinks take what comes.
    ///
    /// # Errors
    /// A terminal whose last word is not taken.
    pub fn end(&mut self, plan: &FabricPlan, from: Terminal) -> Result<(), String> {
        self.set_sinks(plan, true);
        let port = |signal| plan.port_name(Side::Source, from, signal);
        self.set_port(&port("last"), 1);
        match plan.clock(from) {
            None => self.take(&port("ready"))?,
            // In a clock of its own words are not taken one by one here: some more packets of a word follow.
            Some(_) => (0..LONG / 10).for_each(|_| self.cycle()),
        }
        self.set_port(&port("valid"), 0);
        Ok(())
    }

    /// Goes on until no sink has been offered a word for long.
    pub fn drain(&mut self, plan: &FabricPlan) {
        let valid = |&sink: &Terminal| self.dut.port(&plan.port_name(Side::Sink, sink, "valid"));
        let ports: Vec<NetId> = plan.terminals_of(Side::Sink).iter().map(valid).collect();
        let mut silent = 0;
        while silent < SILENT {
            self.cycle();
            self.dut.settle();
            let offers = ports.iter().any(|port| self.dut.get(*port) == 1);
            silent = if offers { 0 } else { silent + 1 };
        }
    }

    fn set_sinks(&mut self, plan: &FabricPlan, ready: bool) {
        for &sink in plan.terminals_of(Side::Sink) {
            self.set_port(&plan.port_name(Side::Sink, sink, "ready"), ready.into());
        }
    }

    /// Waits for the cycle in which a word that is offered is taken.
    fn take(&mut self, ready: &str) -> Result<(), String> {
        let port = self.dut.port(ready);
        for _ in 0..LONG {
            self.dut.settle();
            let is_ready = self.dut.get(port) == 1;
            self.cycle();
            if is_ready {
                return Ok(());
            }
        }
        Err(format!("{ready} does not come within {LONG} cycles"))
    }
}
