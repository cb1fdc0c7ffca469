//! Token bucket of a flow.

use crate::rtl::registers::at_least;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};
use turnpike_network::flows::TokenBucket;

/// Register of a bucket: tokens that packets took and that have not come back.
pub const OWED: &str = "owed";

/// Tokens of a bucket, in units that are whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tokens {
    /// Tokens of a full bucket.
    pub full: u64,
    /// Tokens that a packet takes.
    pub packet: u64,
    /// Tokens that come back in a cycle.
    pub cycle: u64,
}

impl Tokens {
    /// Tokens of a bucket, as few as its rate allows.
    pub fn of(bucket: &TokenBucket) -> Self {
        let [cycle, flit] = bucket.tokens();
        Self {
            full: u64::from(bucket.burst) * flit,
            packet: u64::from(bucket.packet) * flit,
            cycle,
        }
    }

    /// Bits of the number of tokens that are owed; 0 where none ever are.
    pub fn bits(&self) -> u32 {
        match self.packet == self.cycle {
            true => 0,
            // A packet goes where its tokens are there, and some come back in the same cycle.
            false => u64::BITS - (self.full - self.cycle).leading_zeros(),
        }
    }
}

/// Flits in words: `a flit`, `4 flits`.
pub(super) fn flits(count: u32) -> String {
    if count == 1 { "a flit".to_owned() } else { format!("{count} flits") }
}

/// A token bucket: full after a reset. Ports:
/// - `wants`: a packet of the flow is there;
/// - `grants`: it may go, in this cycle. What it takes comes back by and by.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn bucket(name: String, bucket: &TokenBucket) -> Result<Arc<Module>, RtlError> {
    let tokens @ Tokens { full, packet, cycle } = Tokens::of(bucket);
    let TokenBucket { rate, packet: packet_flits, burst } = bucket;
    let mut m = ModuleBuilder::new(name);
    m.about(format!(
        "Token bucket: packets of {}, {rate} flits per cycle, bursts of {burst}.",
        flits(*packet_flits)
    ));
    m.about(format!("Of {full} tokens a packet takes {packet}, and a cycle brings back {cycle}."));
    let wants = m.input("wants", 1);
    let grants = m.output("grants", 1);
    let bits = tokens.bits();
    if bits == 0 {
        m.comment("What a packet takes is back in the next cycle.");
        m.assign(grants, wants);
        return m.finish();
    }
    m.section("Tokens that packets took and that have not come back");
    let owed = m.reg(OWED, bits);
    let constant = |value| Expr::constant(bits, value);
    let has_too_few = at_least(owed, full - packet + 1);
    m.assign(grants, Expr::from(wants) & !has_too_few);
    // All of them come back at once where a cycle brings as many as there may be.
    let comes_back = match cycle >> bits {
        0 => at_least(owed, cycle).mux(Expr::from(owed) - constant(cycle), constant(0)),
        _ => constant(0),
    };
    let taken = Expr::from(owed) + constant(packet - cycle);
    let next = Expr::from(grants).mux(taken, comes_back);
    m.registers(vec![Register { net: owed, reset: Some(0), enable: None, next }]);
    m.finish()
}
