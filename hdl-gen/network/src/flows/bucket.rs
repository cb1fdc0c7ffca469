//! Token buckets of flows: how much a flow may release, and when.

use super::{Bandwidth, Flow};
use turnpike_base::numbers::gcd;

/// Token bucket of a flow. From any cycle to the t-th one after it, both included, it lets at most
/// `burst` + `rate` t flits through, in whole packets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenBucket {
    /// Flits per cycle, more than 0.
    pub rate: Bandwidth,
    /// Flits of each packet.
    pub packet: u32,
    /// Flits that may be released at once, a packet at least.
    pub burst: u32,
}

/// Reason that a flow has no token bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BucketError {
    /// A flow that does not say how much it sends.
    #[error("no bandwidth")]
    NoBandwidth,
    /// A burst that no packet fits in.
    #[error(
        "a burst of {burst} flits and packets of {packet}: none may ever be released; use a burst of {packet} or more"
    )]
    Burst {
        /// Flits of the burst.
        burst: u32,
        /// Flits of a packet.
        packet: u32,
    },
}

impl Flow {
    /// Token bucket of the flow: packets of a flit and a burst of a packet, where nothing else is said.
    ///
    /// # Errors
    /// [`BucketError`]: a flow without a bandwidth, or a burst below a packet.
    pub fn bucket(&self) -> Result<TokenBucket, BucketError> {
        let rate = self.bandwidth.ok_or(BucketError::NoBandwidth)?;
        let packet = self.packet_flits.unwrap_or(1);
        let burst = self.burst.unwrap_or(packet);
        match burst < packet {
            true => Err(BucketError::Burst { burst, packet }),
            false => Ok(TokenBucket { rate, packet, burst }),
        }
    }
}

impl TokenBucket {
    /// Most packets that are released from some cycle to the one so many later, both included.
    pub fn packets(&self, cycles: u64) -> u64 {
        let whole = u128::from(Bandwidth::WHOLE.0);
        let flits = u128::from(self.burst) * whole + u128::from(self.rate.0) * u128::from(cycles);
        (flits / (u128::from(self.packet) * whole)) as u64
    }

    /// Tokens that come in a cycle, and those that a flit takes: whole numbers, as small as the rate
    /// allows.
    pub fn tokens(&self) -> [u64; 2] {
        let divisor = gcd(Bandwidth::WHOLE.0, self.rate.0);
        [self.rate.0 / divisor, Bandwidth::WHOLE.0 / divisor]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_rate_in_least_numbers() {
        let tokens = |rate: &str| {
            let rate = rate.parse().unwrap();
            TokenBucket { rate, packet: 1, burst: 1 }.tokens()
        };
        assert_eq!(tokens("0.1"), [1, 10]);
        assert_eq!(tokens("0.75"), [3, 4]);
        assert_eq!(tokens("1"), [1, 1]);
        assert_eq!(tokens("0.333333333"), [333_333_333, 1_000_000_000]);
    }
}
