//! The area of a fabric by a few of its figures, in LUTs.

/// Figures of a fabric that its area follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Streams of packets that enter: each has an injector and a queue.
    pub sources: u64,
    /// Streams whose injector looks the route up in a table, and has a register for that.
    pub tables: u64,
    /// Queues at the ends of channels.
    pub queues: u64,
    /// Data inputs of multiplexers that have several.
    pub inputs: u64,
    /// Multiplexers that have several inputs.
    pub multiplexers: u64,
}

/// Hundredths of a LUT for an injector with its queue.
const SOURCE: u64 = 1730;
/// Hundredths of a LUT for a table of routes.
const TABLE: u64 = 280;
/// Hundredths of a LUT for a queue at the end of a channel.
const QUEUE: u64 = 1180;
/// Hundredths of a LUT for each input of a multiplexer beyond the first.
const JOIN: u64 = 2690;
/// Hundredths of a LUT for a multiplexer beside that: its arbiter.
const MULTIPLEXER: u64 = 970;

impl Counts {
    /// Area in hundredths of a LUT.
    pub fn hundredths(&self) -> u64 {
        let joins = self.inputs - self.multiplexers;
        self.sources * SOURCE
            + self.tables * TABLE
            + self.queues * QUEUE
            + joins * JOIN
            + self.multiplexers * MULTIPLEXER
    }

    /// Area in LUTs of six inputs, for flits of 32 bits and queues of 4. The five costs are fitted to what Yosys
    /// makes of whole fabrics for Xilinx 7.
    pub fn luts(&self) -> f64 {
        self.hundredths() as f64 / 100.0
    }
}
