//! Address map of the AXI4-Lite port.

/// Value of the register `ID`: `TPC1`.
pub const ID: u32 = 0x5450_4331;

/// A register, by its word address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Address {
    /// [`ID`].
    Id,
    /// Slots of a bank in bits 31 to 16, words of a slot in bits 15 to 0.
    Shape,
    /// Bit 0: a schedule runs. Bit 1: a swap is pending. Bit 2: words are on the way whose slots
    /// are in the other bank. Bit 3: the bank whose schedule runs.
    Status,
    /// Writing 1 asks for a swap; reads as 1 while one is pending.
    Swap,
    /// Slots of the schedule that the next swap starts.
    Count,
    /// Slots of the schedule that runs in bits 31 to 16, the slot in bits 15 to 0; 0 where none
    /// runs.
    Slot,
}

impl Address {
    /// Every register, in the order of their addresses.
    pub const ALL: [Self; 6] =
        [Self::Id, Self::Shape, Self::Status, Self::Swap, Self::Count, Self::Slot];

    /// Byte address of the register.
    pub fn bytes(self) -> u32 {
        self as u32 * 4
    }

    /// Name of the register.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "ID",
            Self::Shape => "SHAPE",
            Self::Status => "STATUS",
            Self::Swap => "SWAP",
            Self::Count => "COUNT",
            Self::Slot => "SLOT",
        }
    }

    /// Meaning of the register, for documentation.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Id => "reads 0x54504331",
            Self::Shape => "31:16 slots of a bank, 15:0 words of a slot",
            Self::Status => "0 running, 1 swap pending, 2 other bank in use, 3 bank that runs",
            Self::Swap => "write 1: start the written bank's schedule after the last slot",
            Self::Count => "slots of the schedule that the next swap starts",
            Self::Slot => "31:16 slots of the schedule that runs, 15:0 the slot",
        }
    }
}

/// Sizes that the addresses of the port follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    /// Slots of a bank.
    pub slots: u32,
    /// Bits of a slot's number.
    pub slot_bits: u32,
    /// Words of a slot.
    pub words: u32,
    /// Bits of a word's number in an address.
    pub word_bits: u32,
    /// Bits of the widest word.
    pub data: u32,
}

impl Map {
    /// Bits of a byte address.
    pub fn address_bits(&self) -> u32 {
        1 + self.slot_bits + self.word_bits + 2
    }

    /// The byte address of a word of a slot.
    pub fn address(&self, slot: u32, word: u32) -> u32 {
        let region = 1 << (self.address_bits() - 1);
        region | (slot << self.word_bits | word) << 2
    }
}
