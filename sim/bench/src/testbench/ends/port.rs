//! A port of AXI4 or AXI4-Lite at the top module: its channels, driven and watched.

use turnpike_ends::EndPort;
use turnpike_ends::protocol::axi4::{Channel, INCR};
use turnpike_sim_rtl::dut::Dut;
use turnpike_sim_rtl::eval::NetId;

/// Payload of a channel: the words of each signal, in the order of the port list.
pub(super) type Payload = Vec<Vec<u64>>;

/// A channel, and what was offered on it in the cycle before and not taken.
pub(super) struct ChannelPort {
    name: String,
    valid: NetId,
    ready: NetId,
    payload: Vec<Signal>,
    waits: Option<Payload>,
}

/// Signal of a payload.
struct Signal {
    /// Net of the signal; AXI4-Lite does not have all.
    net: Option<NetId>,
    width: u32,
    /// Value that it stands for where it is not there.
    otherwise: u64,
}

impl ChannelPort {
    fn of(dut: &Dut, prefix: &str, channel: Channel, port: &EndPort<'_>) -> Self {
        let name = format!("{prefix}_{}", channel.prefix());
        let has = port.protocol.signals(port.widths);
        let net = |signal: &str| {
            let own = format!("{}{signal}", channel.prefix());
            let is_there = has.iter().any(|signal| signal.name == own);
            is_there.then(|| dut.port(&format!("{name}{signal}")))
        };
        let signal = |(signal, width): (&str, u32)| {
            let otherwise = match signal {
                "last" => 1,
                "burst" => INCR,
                "size" => (port.widths.data / 8).ilog2().into(),
                _ => 0,
            };
            Signal { net: net(signal), width, otherwise }
        };
        let payload = channel.payload(port.widths).into_iter().map(signal).collect();
        let [valid, ready] = ["valid", "ready"].map(|name| net(name).expect("a handshake"));
        Self { name, valid, ready, payload, waits: None }
    }

    /// Offers a payload, or nothing, with anything on the other signals.
    pub fn offer(&self, dut: &mut Dut, payload: Option<&Payload>, otherwise: u64) {
        dut.set(self.valid, u64::from(payload.is_some()));
        for (place, &Signal { net, width, .. }) in self.payload.iter().enumerate() {
            let Some(net) = net else { continue };
            let words = match payload {
                Some(payload) => payload[place].clone(),
                None => vec![otherwise; width.div_ceil(64) as usize],
            };
            dut.set_words(net, 0, width, &words);
        }
    }

    /// Says whether it takes what is offered.
    pub fn take(&self, dut: &mut Dut, ready: bool) {
        dut.set(self.ready, u64::from(ready));
    }

    /// Whether something is offered.
    pub fn is_offered(&self, dut: &Dut) -> bool {
        dut.get(self.valid) == 1
    }

    /// Whether what is offered is taken.
    pub fn fires(&self, dut: &Dut) -> bool {
        self.is_offered(dut) && dut.get(self.ready) == 1
    }

    /// Payload that the fabric offers, held to the rule that it stays until it is taken (IHI 0022 H, A3.2.1);
    /// `Some` where it is taken in this cycle.
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn watch(&mut self, dut: &Dut) -> Result<Option<Payload>, String> {
        let offered = self.is_offered(dut).then(|| self.read(dut));
        if let Some(before) = self.waits.take()
            && offered.as_ref() != Some(&before)
        {
            let now = if offered.is_some() { "changes" } else { "goes away" };
            return Err(format!("{}: what is offered {now} before it is taken", self.name));
        }
        if dut.get(self.ready) == 1 {
            return Ok(offered);
        }
        self.waits = offered;
        Ok(None)
    }

    fn read(&self, dut: &Dut) -> Payload {
        let words = |signal: &Signal| match signal.net {
            Some(net) => dut.get_words(net, 0, signal.width).collect(),
            None => vec![signal.otherwise],
        };
        self.payload.iter().map(words).collect()
    }

    /// Whether the fabric neither offers nor takes anything, as under reset.
    ///
    /// # Errors
    /// What it does.
    fn check_silent(&mut self, dut: &Dut, is_driven: bool) -> Result<(), String> {
        self.waits = None;
        let net = if is_driven { self.ready } else { self.valid };
        match dut.get(net) {
            0 => Ok(()),
            _ => Err(format!("{}: a handshake under reset", self.name)),
        }
    }
}

/// The channels of a port.
pub(super) struct Port {
    pub aw: ChannelPort,
    pub w: ChannelPort,
    pub b: ChannelPort,
    pub ar: ChannelPort,
    pub r: ChannelPort,
}

impl Port {
    /// The port whose signals begin with `prefix`.
    pub fn of(dut: &Dut, prefix: &str, port: &EndPort<'_>) -> Self {
        let of = |channel| ChannelPort::of(dut, prefix, channel, port);
        Self {
            aw: of(Channel::Aw),
            w: of(Channel::W),
            b: of(Channel::B),
            ar: of(Channel::Ar),
            r: of(Channel::R),
        }
    }

    /// The channels, and whether the manager sends each.
    fn channels(&mut self) -> [(&mut ChannelPort, bool); 5] {
        let Self { aw, w, b, ar, r } = self;
        [(aw, true), (w, true), (ar, true), (b, false), (r, false)]
    }

    /// Offers nothing, and takes all, as an eager manager or subordinate.
    pub fn rest(&mut self, dut: &mut Dut, is_manager: bool, otherwise: u64) {
        for (channel, of_manager) in self.channels() {
            match of_manager == is_manager {
                true => channel.offer(dut, None, otherwise),
                false => channel.take(dut, true),
            }
        }
    }

    /// Whether the fabric makes no handshake at this port, as under reset.
    ///
    /// # Errors
    /// The handshake that it makes.
    pub fn check_silent(&mut self, dut: &Dut, is_manager: bool) -> Result<(), String> {
        for (channel, of_manager) in self.channels() {
            channel.check_silent(dut, of_manager == is_manager)?;
        }
        Ok(())
    }
}
