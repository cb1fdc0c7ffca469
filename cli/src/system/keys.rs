//! Keys of a system file, as data: what is read, what is refused, and what its JSON Schema says.

/// Value of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// A text.
    Text,
    /// A whole number.
    Whole,
    /// A decimal number.
    Decimal,
    /// A text, or a list of them.
    Texts,
    /// A table of these keys, and of options where `true`.
    Table(&'static [Key], bool),
    /// A list of tables of these keys.
    Tables(&'static [Key]),
}

/// A key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Name of the key.
    pub name: &'static str,
    /// Value of the key.
    pub holds: Holds,
    /// Meaning of the value, as a sentence.
    pub about: &'static str,
    /// Whether it must be there.
    pub is_required: bool,
}

const fn key(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, about, is_required: false }
}

const fn required(name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, about, is_required: true }
}

/// Key with the version of the format.
pub const VERSION_KEY: &str = "turnpike-system";
/// Version of the format.
pub const VERSION: u32 = 1;

/// Keys of the file.
pub const KEYS: &[Key] = &[
    required(VERSION_KEY, Holds::Whole, "Version of the format: 1."),
    key(
        "name",
        Holds::Text,
        "Name of the fabric: an identifier. Default: the name of the file, where it is one.",
    ),
    required(
        "network",
        Holds::Table(NETWORK, true),
        "The network: its topology, or its nodes and links, and the options of network and routing.",
    ),
    key(
        "options",
        Holds::Table(&[], true),
        "The other options, by their names on the command line.",
    ),
    key(
        "terminal",
        Holds::Tables(TERMINAL),
        "The terminals, each at a switch. Default: those of the topology.",
    ),
    key("class", Holds::Tables(CLASS), "The message classes. Default: all messages are alike."),
    key("flow", Holds::Tables(FLOW), "The flows. Default: from each terminal to each other."),
];

/// Keys of `network`, beside options.
pub const NETWORK: &[Key] = &[
    key(
        "topology",
        Holds::Text,
        "Name of a topology (see `turnpike list`), or a file that describes one.",
    ),
    key("inline", Holds::Text, "Nodes and links, in the lines of a .topology file."),
];

/// Keys of a terminal.
pub const TERMINAL: &[Key] = &[
    required("name", Holds::Text, "Name of the terminal: a letter, then letters, digits and _."),
    required(
        "at",
        Holds::Text,
        "The switch where it is, or the terminal of the network that it is.",
    ),
    key("width", Holds::Whole, "Bits of its tdata, 1 to 1024. Default: those of the network."),
    key(
        "clock",
        Holds::Text,
        "Clock of its ports, an input of the top module. Default: clk, that of the network.",
    ),
    key(
        "address",
        Holds::Whole,
        "Address on tdest and tid. Default: the terminal's number in the network.",
    ),
    key(
        "protocol",
        Holds::Text,
        "Protocol of its ports: axi4-stream, or memory-mapped axi4, axi4-lite, apb, wishbone or wishbone-pipelined. \
         Default: axi4-stream.",
    ),
    key("role", Holds::Text, "Role of a memory-mapped terminal: manager or subordinate."),
    key(
        "data-width",
        Holds::Whole,
        "Bits of data of a memory-mapped terminal, of those that its protocol has. Default: 32.",
    ),
    key("id-width", Holds::Whole, "Bits of the IDs of a manager of axi4, 1 to 16. Default: 4."),
    key(
        "outstanding",
        Holds::Whole,
        "Reads, and writes, that it has in flight, 1 to 64; 2 at least of a subordinate. Default: 8, or 2 of a \
         subordinate of single transfers.",
    ),
    key(
        "burst",
        Holds::Whole,
        "Beats of the longest write of a manager of axi4, 1 to 256. Default: 256.",
    ),
    key(
        "reorder",
        Holds::Whole,
        "Beats of reads in a manager's reorder buffer, a power of two from 4 to 1024: transactions of one ID may then be \
         with several subordinates. Default: no buffer.",
    ),
    key(
        "range",
        Holds::Texts,
        "Addresses that a subordinate answers, whole pages of 4 KiB: 0x8000_0000..0xBFFF_FFFF, or a list.",
    ),
    key(
        "reach",
        Holds::Texts,
        "Subordinates that a manager reaches, by name or pattern. Default: all.",
    ),
];

/// Keys of a message class.
pub const CLASS: &[Key] = &[
    required(
        "name",
        Holds::Text,
        "Name of the class: a small letter, then small letters, digits and _.",
    ),
    key(
        "after",
        Holds::Texts,
        "The classes that it comes after: a terminal that takes a message of one of these may be waiting \
         until it has sent one of this class.",
    ),
    key(
        "priority",
        Holds::Whole,
        "Priority on links, up to 15: a flit of a class of a higher one goes first. Default: 0.",
    ),
];

/// Keys of a flow: the columns of a file of flows.
pub const FLOW: &[Key] = &[
    required("source", Holds::Text, "Name of the terminal that sends, or a pattern such as cpu*."),
    required("destination", Holds::Text, "Name of the terminal that takes packets, or a pattern."),
    key("class", Holds::Text, "Name of the message class: for each flow, or for none."),
    key(
        "bandwidth",
        Holds::Decimal,
        "Flits per cycle, above 0 and up to 1: for each flow, or for none.",
    ),
    key("packet", Holds::Whole, "Flits of each packet."),
    key("burst", Holds::Whole, "Flits that may be released at once. Default: a packet."),
    key("latency", Holds::Whole, "Cycles within which a packet should arrive."),
    key(
        "words",
        Holds::Whole,
        "Where there are no bandwidths: a source sends in proportion to them. Default: 1.",
    ),
];
