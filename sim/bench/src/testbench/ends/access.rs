//! A subordinate of AXI4-Lite, or of AXI4 that is narrower than the network: it is asked by single
//! accesses, answers them, and notes them.

use super::port::{Payload, Port};
use super::transaction::{Seen, answer, attribute, masked, read_beat};
use super::{Asked, Model};
use turnpike_ends::protocol::axi4::INCR;
use turnpike_ends::{EndPort, Protocol};
use turnpike_sim_rtl::dut::Dut;

/// A subordinate, with what it was asked.
pub(super) struct AccessBench {
    name: String,
    protocol: Protocol,
    data: u32,
    port: Port,
    /// Address, and data, of a write that came.
    address: Option<Payload>,
    beat: Option<Payload>,
    /// Access that it is to answer, and whether the answer is offered.
    due: Option<(bool, Seen)>,
    asked: Asked,
}

impl AccessBench {
    pub fn new(dut: &Dut, prefix: &str, port: &EndPort<'_>) -> Self {
        Self {
            name: port.name.to_owned(),
            protocol: port.protocol,
            data: port.widths.data,
            port: Port::of(dut, prefix, port),
            address: None,
            beat: None,
            due: None,
            asked: Asked::default(),
        }
    }
}

/// View of an access.
fn seen(protocol: Protocol, address: &Payload, beat: Option<&Payload>) -> Seen {
    let of = |name: &str| attribute(address, name);
    let attributes = match protocol {
        Protocol::Axi4 => ["size", "cache", "prot", "qos", "region"].map(of).to_vec(),
        _ => vec![of("prot")],
    };
    Seen {
        is_write: beat.is_some(),
        address: address[1][0],
        attributes,
        beats: beat.map(|beat| masked(&beat[0], &beat[1])).into_iter().collect(),
    }
}

/// Whether an access is of one beat.
fn check_single(address: &Payload) -> Result<(), String> {
    match (address[0][0], attribute(address, "len"), attribute(address, "burst")) {
        (0, 0, INCR) => Ok(()),
        (id, len, burst) => Err(format!("an access of ID {id}, AxLEN {len}, AxBURST {burst}")),
    }
}

impl Model for AccessBench {
    fn asked(&self) -> Option<&Asked> {
        Some(&self.asked)
    }

    fn drive(&mut self, dut: &mut Dut, eager: &dyn Fn(u64) -> bool, otherwise: u64) {
        let data = self.data;
        let Self { port, address, beat, due, .. } = self;
        port.aw.take(dut, address.is_none() && due.is_none() && eager(0));
        port.w.take(dut, beat.is_none() && due.is_none() && eager(1));
        port.ar.take(dut, due.is_none() && eager(2));
        // An answer that is offered stays.
        if let Some((is_offered, _)) = due {
            *is_offered = *is_offered || eager(3);
        }
        let offered = due.as_ref().filter(|(is_offered, _)| *is_offered).map(|(_, seen)| seen);
        let resp = offered.map_or(0, |seen| answer(seen.digest()));
        let written = offered.filter(|seen| seen.is_write);
        let payload = written.map(|_| vec![vec![otherwise & 1], vec![resp]]);
        port.b.offer(dut, payload.as_ref(), otherwise);
        let payload = offered.filter(|seen| !seen.is_write).map(|seen| {
            let (data, _) = read_beat(seen.digest(), 0, data);
            vec![vec![otherwise & 1], data, vec![resp], vec![1]]
        });
        port.r.offer(dut, payload.as_ref(), otherwise);
    }

    fn watch(&mut self, dut: &Dut) -> Result<bool, String> {
        let protocol = self.protocol;
        let name = self.name.clone();
        let named = |fault: String| format!("{name}: {fault}");
        let Self { port, address, beat, due, .. } = self;
        let mut moved = false;
        if port.b.fires(dut) || port.r.fires(dut) {
            (*due, moved) = (None, true);
        }
        let mut noted = Vec::new();
        if let Some(payload) = port.aw.watch(dut).map_err(named)? {
            check_single(&payload).map_err(named)?;
            (*address, moved) = (Some(payload), true);
        }
        if let Some(payload) = port.w.watch(dut).map_err(named)? {
            if payload[2][0] != 1 {
                return Err(named("WLAST is low".to_owned()));
            }
            (*beat, moved) = (Some(payload), true);
        }
        if let Some(payload) = port.ar.watch(dut).map_err(named)? {
            check_single(&payload).map_err(named)?;
            let seen = seen(protocol, &payload, None);
            noted.push(seen.clone());
            (*due, moved) = (Some((false, seen)), true);
        }
        if address.is_some() && beat.is_some() {
            let (address, beat) = (address.take(), beat.take());
            let seen = seen(protocol, &address.expect("an address"), beat.as_ref());
            noted.push(seen.clone());
            *due = Some((false, seen));
        }
        for seen in noted {
            self.asked[usize::from(!seen.is_write)].push(seen.digest());
        }
        Ok(moved)
    }

    fn rest(&mut self, dut: &mut Dut, otherwise: u64) {
        self.port.rest(dut, false, otherwise);
    }

    fn check_silent(&mut self, dut: &Dut) -> Result<(), String> {
        self.port.check_silent(dut, false)
    }

    fn waits_for(&self) -> String {
        format!("{}: {}", self.name, if self.due.is_some() { "an access" } else { "nothing" })
    }
}
