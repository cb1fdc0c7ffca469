//! Multistage networks: how many switches of what size, and what their outputs lead to.
//!
//! A network is a line of stages. Every link leads from one stage to the next, from a source to
//! the first or from the last to a sink.

mod clos;
mod error;
mod rows;

pub use clos::Clos;
pub use error::NetworkError;
pub use rows::Rows;

/// The most terminals that a network has.
pub const MOST_TERMINALS: u32 = 1 << 16;
/// The most inputs, and the most outputs, that a switch has. One less than 2^16, so that one value
/// of 16 bits is left to say that an output is idle.
pub const MOST_PORTS: u32 = (1 << 16) - 1;
/// The most stages that a network has.
pub const MOST_STAGES: usize = 64;
/// The most links between two stages.
pub const MOST_LINKS: u32 = 1 << 20;

/// A multistage network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Network {
    /// Stages on rows: butterfly, Beneš, double butterfly and their like.
    Rows(Rows),
    /// A Clos network of three stages.
    Clos(Clos),
}

/// An input or an output of a switch, in a stage that the context says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The switch within its stage.
    pub switch: u32,
    /// The input or output of the switch.
    pub port: u32,
}

/// End of an output's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lead {
    /// An input of the next stage.
    Input(Place),
    /// A sink, by its terminal.
    Sink(u32),
}

impl Network {
    /// Stages on radix^dim rows; a stage for each of `digits` joins the rows that differ only in
    /// that digit ([`Rows`]). The radix is 2 to [`MOST_PORTS`].
    ///
    /// # Errors
    /// [`NetworkError`] for a radix, dimension, digit or number of stages out of range.
    pub fn rows(radix: u32, dim: u32, digits: Vec<u32>) -> Result<Self, NetworkError> {
        Rows::new(radix, dim, digits).map(Self::Rows)
    }

    /// The butterfly: each digit once, the most significant first (Dally and Towles, Principles
    /// and Practices of Interconnection Networks, section 4.1).
    ///
    /// # Errors
    /// [`NetworkError`] for a radix or dimension out of range.
    pub fn butterfly(radix: u32, dim: u32) -> Result<Self, NetworkError> {
        Rows::butterfly(radix, dim).map(Self::Rows)
    }

    /// Two butterflies, one after the other.
    ///
    /// # Errors
    /// [`NetworkError`] for a radix or dimension out of range.
    pub fn double_butterfly(radix: u32, dim: u32) -> Result<Self, NetworkError> {
        Rows::double_butterfly(radix, dim).map(Self::Rows)
    }

    /// The Beneš network of 2^dim terminals: 2 dim - 1 stages of switches of 2 inputs (Beneš,
    /// Mathematical Theory of Connecting Networks and Telephone Traffic, 1965). The dimension is
    /// 1 to 16.
    ///
    /// # Errors
    /// [`NetworkError`] for a dimension out of range.
    pub fn benes(dim: u32) -> Result<Self, NetworkError> {
        Rows::benes(dim).map(Self::Rows)
    }

    /// The Beneš network with those switches replaced by wires that no permutation needs (Waksman,
    /// A Permutation Network, Journal of the ACM 15(1), 1968). [`Network::removed`] lists them.
    /// N log2 N - N + 1 switches are left of N = 2^dim terminals.
    ///
    /// # Errors
    /// [`NetworkError`] for a dimension out of range.
    pub fn reduced_benes(dim: u32) -> Result<Self, NetworkError> {
        Rows::reduced_benes(dim).map(Self::Rows)
    }

    /// The Clos network of `m` middle switches, with `n` terminals at each of `r` first and `r`
    /// last switches ([`Clos`]).
    ///
    /// # Errors
    /// [`NetworkError`] where a number is 0 or the network is too large.
    pub fn clos(m: u32, n: u32, r: u32) -> Result<Self, NetworkError> {
        Clos::new(m, n, r).map(Self::Clos)
    }

    /// Number of terminals: as many sources as sinks, at most [`MOST_TERMINALS`].
    pub fn terminals(&self) -> u32 {
        match self {
            Self::Rows(rows) => rows.terminals(),
            Self::Clos(clos) => clos.terminals(),
        }
    }

    /// Number of stages, 1 to [`MOST_STAGES`].
    pub fn stages(&self) -> u32 {
        match self {
            Self::Rows(rows) => rows.digits().len() as u32,
            Self::Clos(_) => 3,
        }
    }

    /// Number of switches of a stage; 0 where there is no such stage. Those that are but wires
    /// ([`Network::is_wire`]) count.
    pub fn switches(&self, stage: u32) -> u32 {
        self.sizes(stage).0
    }

    /// Number of inputs of each switch of a stage; 0 where there is no such stage.
    pub fn inputs(&self, stage: u32) -> u32 {
        self.sizes(stage).1
    }

    /// Number of outputs of each switch of a stage; 0 where there is no such stage.
    pub fn outputs(&self, stage: u32) -> u32 {
        self.sizes(stage).2
    }

    /// Switches, inputs of each and outputs of each.
    fn sizes(&self, stage: u32) -> (u32, u32, u32) {
        match self {
            _ if stage >= self.stages() => (0, 0, 0),
            Self::Rows(rows) => (rows.terminals() / rows.radix(), rows.radix(), rows.radix()),
            Self::Clos(clos) => match stage {
                0 => (clos.r(), clos.n(), clos.m()),
                1 => (clos.m(), clos.r(), clos.r()),
                _ => (clos.r(), clos.m(), clos.n()),
            },
        }
    }

    /// Whether a switch is replaced by wires, so that each output takes the input of its number.
    /// Only a reduced Beneš network has such.
    pub fn is_wire(&self, stage: u32, switch: u32) -> bool {
        match self {
            Self::Rows(rows) => rows.is_wire(stage, switch),
            Self::Clos(_) => false,
        }
    }

    /// The switches that are replaced by wires, each as (stage, switch), ascending.
    pub fn removed(&self) -> Vec<(u32, u32)> {
        let all = (0..self.stages()).flat_map(|s| (0..self.switches(s)).map(move |w| (s, w)));
        all.filter(|&(stage, switch)| self.is_wire(stage, switch)).collect()
    }

    /// The input of the first stage that a source leads to; `None` where there is no such source.
    pub fn entry(&self, source: u32) -> Option<Place> {
        match self {
            _ if source >= self.terminals() => None,
            Self::Rows(rows) => rows.place(0, source),
            Self::Clos(clos) => Some(clos.place(source)),
        }
    }

    /// End of the link of an output of a stage; `None` where there is no such output.
    pub fn lead(&self, stage: u32, output: Place) -> Option<Lead> {
        let Place { switch, port } = output;
        if switch >= self.switches(stage) || port >= self.outputs(stage) {
            return None;
        }
        match self {
            Self::Rows(rows) => {
                let row = rows.row(stage, output)?;
                Some(rows.place(stage + 1, row).map_or(Lead::Sink(row), Lead::Input))
            }
            Self::Clos(clos) if stage == 2 => Some(Lead::Sink(switch * clos.n() + port)),
            Self::Clos(_) => Some(Lead::Input(Place { switch: port, port: switch })),
        }
    }
}
