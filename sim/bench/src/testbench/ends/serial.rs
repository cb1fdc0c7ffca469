//! A manager of APB or Wishbone: one transfer after another, each held to its answer. One of pipelined
//! Wishbone asks on while it waits.

use super::Model;
use super::manager::check_beat;
use super::nets::Nets;
use super::transaction::{Transaction, attribute};
use std::collections::VecDeque;
use turnpike_base::hash::hash;
use turnpike_ends::protocol::axi4::SLVERR;
use turnpike_ends::{EndPort, Protocol};
use turnpike_sim_rtl::dut::Dut;

/// A manager, with the transfers that it is to make.
pub(super) struct SerialBench {
    name: String,
    protocol: Protocol,
    nets: Nets,
    transfers: VecDeque<Transaction>,
    /// Whether the first of these is offered, and whether it was in the cycle before.
    asks: bool,
    goes_on: bool,
    /// Transfers of a pipelined manager that were taken.
    waiting: VecDeque<Transaction>,
    /// Whether it left a transfer, and has had no answer since.
    has_left: bool,
    answered: u64,
    /// Low bits of an address that say nothing.
    without: u64,
}

impl SerialBench {
    pub fn new(
        dut: &Dut,
        prefix: &str,
        port: &EndPort<'_>,
        transfers: impl Iterator<Item = Transaction>,
    ) -> Self {
        Self {
            name: port.name.to_owned(),
            protocol: port.protocol,
            nets: Nets::of(dut, prefix, port),
            transfers: transfers.collect(),
            asks: false,
            goes_on: false,
            waiting: VecDeque::new(),
            has_left: false,
            answered: 0,
            without: u64::from(port.widths.data / 8) - 1,
        }
    }

    /// Leaves the transfer that was taken, as a manager of Wishbone may: what it asked is done, and it gets
    /// no answer. The last is not left, nor one behind another, which may not have been taken yet.
    fn leave(&mut self) {
        self.has_left = true;
        self.asks = false;
        self.goes_on = false;
        let list = if self.is_pipelined() { &mut self.waiting } else { &mut self.transfers };
        list.pop_front();
    }

    /// Whether it can leave a transfer.
    fn may_leave(&self) -> bool {
        let is_taken = if self.is_pipelined() { !self.waiting.is_empty() } else { self.goes_on };
        let is_last = self.transfers.len() + self.waiting.len() < 2;
        self.protocol != Protocol::Apb && is_taken && !self.has_left && !is_last
    }

    /// Offers a transfer, or nothing, with anything on the other signals.
    fn offer(&self, dut: &mut Dut, otherwise: u64) {
        let front = self.transfers.front().filter(|_| self.asks);
        let is_asked = u64::from(front.is_some());
        let at = front.map_or(otherwise, |own| {
            own.address[1][0] | (hash(self.answered, &[13]) & self.without)
        });
        let is_write = front.map_or(otherwise & 1, |own| u64::from(own.is_write));
        let beat = front.and_then(|own| own.beats.first());
        let [data, strobes] = [0, 1].map(|place| beat.map_or(otherwise, |beat| beat[place][0]));
        match self.protocol {
            Protocol::Apb => {
                self.nets.set(dut, "psel", is_asked);
                self.nets.set(dut, "penable", u64::from(self.asks && self.goes_on));
                self.nets.set(dut, "pwrite", is_write);
                self.nets.set(dut, "paddr", at);
                self.nets.set(
                    dut,
                    "pprot",
                    front.map_or(otherwise, |own| attribute(&own.address, "prot")),
                );
                self.nets.set(dut, "pwdata", data);
                self.nets.set(dut, "pstrb", strobes);
            }
            _ => {
                // Nothing is asked without both.
                let is_open = self.asks || !self.waiting.is_empty();
                let [cyc, stb] = [otherwise & 3 == 1, otherwise & 3 == 2].map(u64::from);
                self.nets.set(dut, "cyc", if is_open { 1 } else { cyc });
                self.nets.set(dut, "stb", if is_open { is_asked } else { stb });
                self.nets.set(dut, "we", is_write);
                self.nets.set(dut, "adr", at);
                self.nets.set(dut, "dat_w", data);
                self.nets.set(dut, "sel", strobes);
            }
        }
    }

    fn is_pipelined(&self) -> bool {
        self.protocol == Protocol::WishbonePipelined
    }

    /// Whether the transfer is answered, whether there was an error, and the data that was read.
    fn answer(&self, dut: &Dut) -> (bool, bool, u64) {
        match self.protocol {
            Protocol::Apb => {
                let is_ready = self.asks && self.goes_on && self.nets.get(dut, "pready") == 1;
                (is_ready, self.nets.get(dut, "pslverr") == 1, self.nets.get(dut, "prdata"))
            }
            _ => {
                let [ack, err] = ["ack", "err"].map(|name| self.nets.get(dut, name) == 1);
                (ack || err, err, self.nets.get(dut, "dat_r"))
            }
        }
    }
}

impl Model for SerialBench {
    fn beats(&self) -> u64 {
        self.transfers.len() as u64
    }

    fn is_done(&self) -> bool {
        self.transfers.is_empty() && self.waiting.is_empty()
    }

    fn answered(&self) -> u64 {
        self.answered
    }

    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64) {
        if self.may_leave() && otherwise >> 8 & 15 == 0 {
            self.leave();
            self.offer(dut, otherwise);
            self.nets.set(dut, "cyc", 0);
            return;
        }
        // What is asked stays.
        self.asks = !self.transfers.is_empty() && (self.asks || eager(0));
        self.offer(dut, otherwise);
    }

    fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
        let (answers, is_error, data) = self.answer(dut);
        let is_taken = self.is_pipelined() && self.asks && self.nets.get(dut, "stall") == 0;
        if is_taken {
            self.waiting.extend(self.transfers.pop_front());
        }
        self.goes_on = self.asks && !answers && !is_taken;
        if !answers {
            self.asks = self.goes_on;
            return Ok(is_taken);
        }
        let transfer = match self.is_pipelined() {
            true => self.waiting.pop_front(),
            false if self.asks => self.transfers.pop_front(),
            false => None,
        };
        self.asks = self.is_pipelined() && self.asks && !is_taken;
        self.goes_on = self.asks;
        let Some(transfer) = transfer else {
            return Err(format!("{}: an answer to no transfer", self.name));
        };
        let resp = if is_error { SLVERR } else { 0 };
        let due = |resp: u64| if resp >= SLVERR { SLVERR } else { 0 };
        let checked = match transfer.is_write {
            true if resp == due(transfer.due_answer) => Ok(()),
            true => Err(format!("a write is answered {resp}, not {}", transfer.due_answer)),
            false => {
                let (bytes, of_beat) = transfer.due_beats[0].clone();
                check_beat(&(bytes, due(of_beat)), &[data], resp)
            }
        };
        checked.map_err(|text| format!("{}: {text}", self.name))?;
        self.answered += 1;
        self.has_left = false;
        Ok(true)
    }

    fn rest(&mut self, dut: &mut Dut, otherwise: u64) {
        let ask = match self.protocol {
            Protocol::Apb => ["psel", "penable"],
            _ => ["cyc", "stb"],
        };
        self.asks = false;
        self.offer(dut, otherwise);
        for name in ask {
            self.nets.set(dut, name, 1);
        }
    }

    fn check_silent(&mut self, dut: &Dut) -> Result<(), String> {
        let answers: &[&str] = match self.protocol {
            Protocol::Apb => &["pready"],
            _ => &["ack", "err"],
        };
        match answers.iter().any(|name| self.nets.get(dut, name) == 1) {
            true => Err(format!("{}: an answer under reset", self.name)),
            false => Ok(()),
        }
    }

    fn waits_for(&self) -> String {
        let count = self.transfers.len() + self.waiting.len();
        format!("{}: {count} transfers not answered", self.name)
    }
}
