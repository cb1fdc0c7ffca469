//! Faults that a self-test finds, as the LEDs show them.

/// A fault that a self-test finds; its number is what the LEDs show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// No fault.
    None = 0,
    /// Packets are missing at the time limit: they were lost, or the fabric is stuck.
    Timeout = 1,
    /// A packet came to a terminal that is not its destination.
    Destination = 2,
    /// A packet is missing before this one, or this one came before: lost, twice, overtaken.
    Order = 3,
    /// `tid` is not the packet's source.
    Id = 4,
    /// A beat does not hold what it must: corrupted, interleaved, lost or twice in a packet.
    Data = 5,
    /// A packet ends too early or goes on too long.
    Length = 6,
    /// `tvalid` was taken back before `tready`, or a packet was refused at injection.
    Protocol = 7,
}

impl Fault {
    /// Bits of a number.
    pub const BITS: u32 = 3;

    /// Every fault, by number.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::None, "no fault so far"),
        (Self::Timeout, "time-out: packets lost, or the fabric is stuck"),
        (Self::Destination, "a packet at a terminal that is not its destination"),
        (Self::Order, "a packet lost, twice, or overtaken by another of its source"),
        (Self::Id, "tid is not the packet's source"),
        (Self::Data, "a beat corrupted, interleaved, lost or twice in its packet"),
        (Self::Length, "a packet that ends too early or too late"),
        (Self::Protocol, "tvalid taken back before tready, or a packet refused"),
    ];

    /// The number.
    pub fn code(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_listed_by_number() {
        for (i, (fault, _)) in Fault::ALL.iter().enumerate() {
            assert_eq!(fault.code(), i as u64);
            assert!(fault.code() >> Fault::BITS == 0);
        }
    }
}
