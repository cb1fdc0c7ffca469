//! A subordinate of APB or Wishbone: it answers what it is asked, and notes it.

use super::nets::Nets;
use super::transaction::{Seen, answer, masked, read_beat};
use super::{Asked, Model};
use turnpike_base::hash::hash;
use turnpike_ends::{EndPort, Protocol};
use turnpike_sim_rtl::dut::Dut;

/// A subordinate, with what it was asked.
pub(super) struct TransferBench {
    name: String,
    protocol: Protocol,
    data: u32,
    nets: Nets,
    /// Transfer of pipelined Wishbone that was taken and not answered.
    taken: Option<Seen>,
    /// Whether it answers in this cycle.
    answers: bool,
    /// Digest of what was asked in the cycle before, and is not answered.
    before: Option<u64>,
    /// Whether that was the cycle of setup of APB, or one behind it.
    in_access: bool,
    asked: Asked,
}

impl TransferBench {
    pub fn new(dut: &Dut, prefix: &str, port: &EndPort<'_>) -> Self {
        Self {
            name: port.name.to_owned(),
            protocol: port.protocol,
            data: port.widths.data,
            nets: Nets::of(dut, prefix, port),
            taken: None,
            answers: false,
            before: None,
            in_access: false,
            asked: Asked::default(),
        }
    }

    /// View of what is asked.
    fn seen(&self, dut: &Dut) -> Option<Seen> {
        let get = |name: &str| self.nets.get(dut, name);
        let of = |[write, address, data, strobes]: [&str; 4], attributes: Vec<u64>, reads: bool| {
            let is_write = get(write) == 1;
            let strobes = get(strobes);
            let beat = match is_write {
                true => masked(&[get(data)], &[strobes]),
                false => vec![vec![0], vec![strobes]],
            };
            let beats = if is_write || reads { vec![beat] } else { Vec::new() };
            Seen { is_write, address: get(address), attributes, beats }
        };
        match self.protocol {
            Protocol::Apb => (get("psel") == 1)
                .then(|| of(["pwrite", "paddr", "pwdata", "pstrb"], vec![get("pprot")], false)),
            _ => (get("cyc") == 1 && get("stb") == 1)
                .then(|| of(["we", "adr", "dat_w", "sel"], Vec::new(), true)),
        }
    }

    /// Signals of an answer to what is asked, or of none.
    fn answer_on_nets(&self, dut: &mut Dut, to: Option<&Seen>, otherwise: u64) {
        let is_answered = to.is_some();
        let (data, is_error) = match to {
            Some(seen) => (read_beat(seen.digest(), 0, self.data).0[0], answer(seen.digest()) > 0),
            None => (otherwise, otherwise & 1 == 1),
        };
        match self.protocol {
            Protocol::Apb => {
                self.nets.set(dut, "pready", u64::from(is_answered));
                self.nets.set(dut, "prdata", data);
                self.nets.set(dut, "pslverr", u64::from(is_error));
            }
            _ => {
                self.nets.set(dut, "ack", u64::from(is_answered && !is_error));
                self.nets.set(dut, "err", u64::from(is_answered && is_error));
                self.nets.set(dut, "dat_r", data);
            }
        }
    }

    /// Notes what was asked.
    fn note(&mut self, seen: &Seen) {
        self.asked[usize::from(!seen.is_write)].push(seen.digest());
    }
}

impl Model for TransferBench {
    fn asked(&self) -> Option<&Asked> {
        Some(&self.asked)
    }

    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64) {
        let asked = self.seen(dut);
        let to = match self.protocol {
            Protocol::Apb => asked.filter(|_| self.in_access && eager(0)),
            Protocol::WishbonePipelined => {
                let stall = !eager(1);
                self.nets.set(dut, "stall", u64::from(stall));
                let now = asked.filter(|_| !stall);
                self.taken.clone().or(now).filter(|_| eager(0))
            }
            _ => asked.filter(|_| eager(0)),
        };
        self.answers = to.is_some();
        self.answer_on_nets(dut, to.as_ref(), otherwise);
    }

    fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
        let fault = |name: &str, text: &str| Err(format!("{name}: {text}"));
        let seen = self.seen(dut);
        let digest = seen.as_ref().map(Seen::digest);
        if self.before.is_some() && self.before != digest {
            return fault(&self.name, "what is asked changes before it is answered");
        }
        self.before = digest;
        match self.protocol {
            Protocol::Apb => {
                let enabled = self.nets.get(dut, "penable") == 1;
                if enabled != (self.in_access && seen.is_some()) {
                    return fault(&self.name, "PENABLE is not high from the second cycle on");
                }
                self.in_access = seen.is_some();
                let Some(seen) = seen.filter(|_| enabled && self.answers) else { return Ok(false) };
                if !seen.is_write && self.nets.get(dut, "pstrb") != 0 {
                    return fault(&self.name, "a read has strobes");
                }
                self.note(&seen);
                (self.before, self.in_access) = (None, false);
                Ok(true)
            }
            Protocol::WishbonePipelined => {
                if self.taken.is_some() && (seen.is_some() || self.nets.get(dut, "cyc") == 0) {
                    return fault(&self.name, "STB before the answer, or CYC gone");
                }
                let is_taken = seen.is_some() && self.nets.get(dut, "stall") == 0;
                if is_taken {
                    self.before = None;
                    self.taken = seen;
                }
                let Some(seen) = self.taken.take_if(|_| self.answers) else { return Ok(is_taken) };
                self.note(&seen);
                Ok(true)
            }
            _ => {
                let Some(seen) = seen.filter(|_| self.answers) else { return Ok(false) };
                self.note(&seen);
                self.before = None;
                Ok(true)
            }
        }
    }

    fn rest(&mut self, dut: &mut Dut, otherwise: u64) {
        let seen = Seen {
            is_write: false,
            address: hash(otherwise, &[14]),
            attributes: Vec::new(),
            beats: Vec::new(),
        };
        self.answer_on_nets(dut, Some(&seen), otherwise);
        if self.protocol == Protocol::WishbonePipelined {
            self.nets.set(dut, "stall", 0);
        }
    }

    fn check_silent(&mut self, dut: &Dut) -> Result<(), String> {
        let asks: &[&str] = match self.protocol {
            Protocol::Apb => &["psel", "penable"],
            _ => &["cyc", "stb"],
        };
        match asks.iter().any(|name| self.nets.get(dut, name) == 1) {
            true => Err(format!("{}: a transfer under reset", self.name)),
            false => Ok(()),
        }
    }

    fn waits_for(&self) -> String {
        let is_asked = self.before.is_some() || self.taken.is_some();
        format!("{}: {}", self.name, if is_asked { "a transfer" } else { "nothing" })
    }
}
