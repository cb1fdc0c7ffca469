//! Reproducible stimulus: the same beats, pauses and back-pressure for the reference router,
//! the rust-hdl `Dut` and a C++ harness, and a digest of what comes out.
//!
//! Only the list of packets is data. All else are stateless hashes of seed, terminal and
//! cycle, with `mix` of [`turnpike_base::hash::mix`] and, for words `a`, `b`, ... (unsigned, 64 bits):
//!
//! ```c
//! H(seed, a, b, ...)  =  h = seed; h = mix(h ^ a); h = mix(h ^ b); ...
//! ```
//!
//! Cycle 0 is the first cycle after a reset; there may be others, in the cycles that the stimulus
//! lists. In each cycle `c`, for each terminal `t`:
//!
//! ```c
//! // The source. next, beat: the packet it is at, and that packet's beat; both from 0.
//! if (!tvalid[t] && next[t] < packets[t] && release(t, next[t]) <= c
//!         && (H(seed, 1, t, c) >> 32) >= gap)
//!     tvalid[t] = 1;          // stays high, with its data, until taken
//! // The sink.
//! m_tready[t] = (H(seed, 2, t, c) >> 32) >= stall;
//! // Before the clock edge, outputs are sampled: s_tready, m_tvalid, and what goes with it.
//! // At the clock edge:
//! if (tvalid[t] && s_tready[t]) { tvalid[t] = 0; beat[t]++;
//!     if (beat[t] == flits(t, next[t])) { beat[t] = 0; next[t]++; } }
//! if (reset(c)) {             // nothing was taken, and the rest of a packet is not sent
//!     tvalid[t] = 0;
//!     if (beat[t] > 0) { beat[t] = 0; next[t]++; } }
//! ```
//!
//! The beat `b` of packet `n` of terminal `t` carries, as 64-bit word `w` (from 0, the least
//! significant) of a field, with unused upper bits of the last word cleared:
//!
//! ```c
//! data: H(seed, 16, t, n, b, w)    keep: H(seed, 17, t, n, b, w)
//! user: H(seed, 18, t, n, b, w)    id: t    last: b + 1 == flits(t, n)
//! dest: destination(t, n), on every beat
//! ```
//!
//! The digest of a cycle is FNV-1a ([`turnpike_base::hash::Fnv`]) over these bytes, for each terminal
//! in ascending order: one byte `s_tready | m_tvalid << 1 | s_error << 2`; then, where
//! `m_tvalid`, each field in the stimulus' order, `(width + 7) / 8` bytes, the least
//! significant first. The running
//! digest is FNV-1a over the digests of all cycles so far, 8 bytes each, the least
//! significant first.

mod bursts;
mod drive;
mod text;

pub use bursts::bursts;
pub use drive::{Driver, FabricModel, InputBeat, Inputs, Recording, ReferenceModel, record};
pub use text::StimulusError;

use crate::traffic::{Release, Traffic};
use turnpike_base::hash::hash;
use turnpike_fabric::plan::{FabricPlan, FlitField};
use turnpike_network::routing::low_bits;
use turnpike_network::topology::{Terminal, Topology};

/// Marks the draws of [`Stimulus::with_misaddressed`] among those of one seed.
const MISADDRESSED: u64 = 3;

/// Marks the draws of [`Stimulus::with_resets`].
const RESET: u64 = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StimulusPacket {
    /// The first cycle in which its source may offer it.
    pub release: u64,
    /// The address that it goes to, of a terminal or not.
    pub destination: u32,
    /// Length in flits, at least 1.
    pub flits: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stimulus {
    /// Seed of every hash.
    pub seed: u64,
    /// Chance that a source pauses before a beat, out of 2^32: 0 (never) to 2^32 (always).
    pub gap: u64,
    /// Chance that a sink is not ready, out of 2^32: 0 (never) to 2^32 (always).
    pub stall: u64,
    /// The fields of a flit, as the plan has them; `last` among them.
    pub fields: Vec<FlitField>,
    /// The cycles in which `rst` is high, ascending.
    pub resets: Vec<u64>,
    /// By source: its packets in the order in which it sends them.
    pub packets: Vec<Vec<StimulusPacket>>,
}

impl Stimulus {
    /// A stimulus without packets for this fabric: no pauses, no back-pressure.
    pub fn new(plan: &FabricPlan, seed: u64) -> Self {
        Self {
            seed,
            gap: 0,
            stall: 0,
            fields: plan.flit_fields(),
            resets: Vec::new(),
            packets: vec![Vec::new(); plan.topology().terminals() as usize],
        }
    }

    /// The stimulus with pauses and back-pressure, as probabilities from 0 to 1.
    #[must_use]
    pub fn with_pauses(mut self, gap: f64, stall: f64) -> Self {
        self.gap = crate::traffic::random::threshold(gap);
        self.stall = crate::traffic::random::threshold(stall);
        self
    }

    /// The stimulus with two resets in the middle of `cycles` cycles, one of a single cycle and one
    /// of three.
    #[must_use]
    pub fn with_resets(mut self, cycles: u64) -> Self {
        for (third, lasts) in [(1, 1), (2, 3)] {
            let at = third * cycles / 3 + hash(self.seed, &[RESET, third]) % (cycles / 8).max(1);
            self.resets.extend(at..at + lasts);
        }
        self
    }

    /// The stimulus with the packets that `traffic` releases in its first `cycles` cycles.
    #[must_use]
    pub fn with_traffic(mut self, traffic: &mut dyn Traffic, cycles: u64) -> Self {
        let mut released = Vec::new();
        for release in 0..cycles {
            traffic.release(release, &mut released);
            for Release { source, destination, flits, .. } in released.drain(..) {
                if let Some(list) = self.packets.get_mut(source as usize) {
                    list.push(StimulusPacket { release, destination, flits });
                }
            }
        }
        self
    }

    /// The stimulus with one packet from each node to each, itself included, all free to go at
    /// once; a node begins with its own address. Packet lengths go round from 1 to `flits`.
    #[must_use]
    pub fn with_all_pairs(mut self, flits: u32) -> Self {
        let nodes = self.terminals();
        for (source, list) in (0..).zip(&mut self.packets) {
            list.extend((0..nodes).map(|step| StimulusPacket {
                release: 0,
                destination: (source + step) % nodes,
                flits: 1 + (source + step) % flits.max(1),
            }));
        }
        self
    }

    /// The stimulus without the packets from and to terminals that failed, and those of no flow.
    #[must_use]
    pub fn between_live(mut self, topology: &dyn Topology) -> Self {
        for (source, list) in (0..).map(Terminal).zip(&mut self.packets) {
            list.retain(|packet| topology.sends_to(source, Terminal(packet.destination)));
        }
        self
    }

    /// The stimulus with every packet in `every`, at random, sent to an address to which packets of its
    /// source do not go, where there are any.
    #[must_use]
    pub fn with_misaddressed(mut self, plan: &FabricPlan, every: u64) -> Self {
        let topology = plan.topology();
        let takes = |&address: &u32| topology.sink(Terminal(address)).is_some();
        let all = 0..1 << topology.address_bits();
        let no_sinks: Vec<u32> = all.clone().filter(|address| !takes(address)).collect();
        for (source, list) in (0..).zip(&mut self.packets) {
            let unknown = match topology.flows() {
                None => no_sinks.clone(),
                Some(flows) => {
                    let from = Terminal(source as u32);
                    // Of the source's own message class.
                    let class = from.0 - flows.address(from).0;
                    let own = all.clone().map(|address| class | address);
                    own.filter(|to| !topology.sends_to(from, Terminal(*to))).collect()
                }
            };
            if unknown.is_empty() {
                continue;
            }
            for (index, packet) in (0..).zip(list) {
                let key = hash(self.seed, &[MISADDRESSED, source, index]);
                if key.is_multiple_of(every.max(1)) {
                    packet.destination = unknown[(key >> 32) as usize % unknown.len()];
                }
            }
        }
        self
    }

    /// Whether `rst` is high in this cycle.
    pub fn is_reset(&self, cycle: u64) -> bool {
        self.resets.binary_search(&cycle).is_ok()
    }

    /// Number of terminals.
    pub fn terminals(&self) -> u32 {
        self.packets.len() as u32
    }

    /// All packets and all flits.
    pub fn size(&self) -> (u64, u64) {
        let all = || self.packets.iter().flatten();
        (all().count() as u64, all().map(|p| u64::from(p.flits)).sum())
    }

    /// Whether the source pauses in this cycle.
    pub fn pauses(&self, terminal: u32, cycle: u64) -> bool {
        hash(self.seed, &[1, terminal.into(), cycle]) >> 32 < self.gap
    }

    /// Whether the sink is ready in this cycle.
    pub fn sink_ready(&self, terminal: u32, cycle: u64) -> bool {
        hash(self.seed, &[2, terminal.into(), cycle]) >> 32 >= self.stall
    }

    /// 64-bit words that all fields of a flit take: `(width + 63) / 64` each, in order.
    pub fn flit_words(&self) -> usize {
        self.fields.iter().map(|f| f.width.div_ceil(64) as usize).sum()
    }

    /// The value of a field on a beat, as 64-bit words, the least significant first. `last`
    /// is what the stimulus says of this beat.
    pub fn field(&self, field: &FlitField, beat: &InputBeat, into: &mut Vec<u64>) {
        let code = match field.name {
            // Streams of message classes share the address of their terminal.
            "id" => return into.push(u64::from(beat.source) & low_bits(field.width)),
            "last" => return into.push(u64::from(beat.last)),
            "keep" => 17,
            "user" => 18,
            _ => 16,
        };
        let InputBeat { source, index, beat, .. } = *beat;
        for word in 0..field.width.div_ceil(64) {
            let key = [code, source.into(), index.into(), beat.into(), word.into()];
            into.push(hash(self.seed, &key) & low_bits(field.width - 64 * word));
        }
    }

    /// All fields of a beat, one after the other.
    pub fn flit(&self, beat: &InputBeat, into: &mut Vec<u64>) {
        self.fields.iter().for_each(|field| self.field(field, beat, into));
    }
}
