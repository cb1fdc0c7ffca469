//! Expressions over the nets of one module. Widths are explicit everywhere; operands of an
//! operator are of equal width, which [`super::check`] insists on.

/// A net of one module: an index into [`super::Module::nets`], with its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Net {
    /// Index into the module's nets.
    pub index: u32,
    /// Bits, at least 1.
    pub width: u32,
}

/// A memory of one module: an index into [`super::Module::memories`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryId(pub u32);

/// A combinational expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A whole net.
    Net(Net),
    /// The reset input, one bit.
    Reset,
    /// A constant; bits above 63 are 0.
    Const {
        /// Bits.
        width: u32,
        /// Value.
        value: u64,
    },
    /// Bits `low` to `low + width - 1` of a net.
    Slice {
        /// The net.
        net: Net,
        /// Lowest bit.
        low: u32,
        /// Bits.
        width: u32,
    },
    /// Parts side by side, most significant first.
    Concat(Vec<Expr>),
    /// One bit, `times` times.
    Repeat {
        /// Number of repetitions.
        times: u32,
        /// Whether that is the module's parameter `WIDTH`.
        parametric: bool,
        /// One bit.
        bit: Box<Expr>,
    },
    /// Bitwise complement.
    Not(Box<Expr>),
    /// Bitwise and; at least two operands.
    And(Vec<Expr>),
    /// Bitwise or; at least two operands.
    Or(Vec<Expr>),
    /// Bitwise exclusive or; at least two operands.
    Xor(Vec<Expr>),
    /// One bit: whether any bit is set.
    Any(Box<Expr>),
    /// One bit: whether both are equal.
    Equal(Box<Expr>, Box<Expr>),
    /// Sum, carry dropped.
    Add(Box<Expr>, Box<Expr>),
    /// Difference, borrow dropped.
    Sub(Box<Expr>, Box<Expr>),
    /// `then` where the one bit `select` is set, else `otherwise`.
    Mux {
        /// One bit.
        select: Box<Expr>,
        /// Taken where it is set.
        then: Box<Expr>,
        /// Taken where it is not.
        otherwise: Box<Expr>,
    },
    /// A word of a memory, read combinationally. An address past the depth reads 0 in
    /// simulation and is never used by the builders.
    Read {
        /// The memory.
        memory: MemoryId,
        /// Address of the word.
        address: Box<Expr>,
    },
}

impl From<Net> for Expr {
    fn from(net: Net) -> Self {
        Self::Net(net)
    }
}

impl Net {
    /// One bit of the net.
    pub fn bit(self, at: u32) -> Expr {
        self.slice(at, 1)
    }

    /// Some bits of the net; the net itself where that is all of them.
    pub fn slice(self, low: u32, width: u32) -> Expr {
        match (low, width) {
            (0, w) if w == self.width => Expr::Net(self),
            _ => Expr::Slice { net: self, low, width },
        }
    }
}

impl Expr {
    /// A constant of `width` bits.
    pub fn constant(width: u32, value: u64) -> Self {
        Self::Const { width, value }
    }

    /// Zero, of any number of bits.
    pub fn zeros(width: u32) -> Self {
        let parts = (0..width).step_by(64).map(|low| Self::constant((width - low).min(64), 0));
        Self::concat(parts)
    }

    /// The conjunction; the operand itself where there is one.
    pub fn all(operands: impl IntoIterator<Item = Expr>) -> Self {
        Self::nary(operands, Self::And)
    }

    /// The disjunction; the operand itself where there is one.
    pub fn any_of(operands: impl IntoIterator<Item = Expr>) -> Self {
        Self::nary(operands, Self::Or)
    }

    /// Parts side by side, most significant first; the part itself where there is one.
    pub fn concat(parts: impl IntoIterator<Item = Expr>) -> Self {
        Self::nary(parts, Self::Concat)
    }

    fn nary(operands: impl IntoIterator<Item = Expr>, build: fn(Vec<Expr>) -> Self) -> Self {
        let mut operands: Vec<Expr> = operands.into_iter().collect();
        assert!(!operands.is_empty(), "an operator needs operands");
        if operands.len() == 1 { operands.remove(0) } else { build(operands) }
    }

    /// One bit: whether any bit is set.
    pub fn any(self) -> Self {
        Self::Any(Box::new(self))
    }

    /// One bit, as often as given.
    pub fn repeat(self, times: u32) -> Self {
        match times {
            1 => self,
            _ => Self::Repeat { times, parametric: false, bit: Box::new(self) },
        }
    }

    /// One bit, as often as the parameter `WIDTH` of the module says, which is `width` here.
    pub fn fill(self, width: u32) -> Self {
        Self::Repeat { times: width, parametric: true, bit: Box::new(self) }
    }

    /// Whether both are equal.
    pub fn equals(self, other: impl Into<Expr>) -> Self {
        Self::Equal(Box::new(self), Box::new(other.into()))
    }

    /// `then` where this bit is set, else `otherwise`.
    pub fn mux(self, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Self {
        Self::Mux {
            select: Box::new(self),
            then: Box::new(then.into()),
            otherwise: Box::new(otherwise.into()),
        }
    }

    /// Direct operands.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let none: &[Expr] = &[];
        let (list, few) = match self {
            Self::Net(_) | Self::Reset | Self::Const { .. } | Self::Slice { .. } => {
                (none, [None; 3])
            }
            Self::Concat(list) | Self::And(list) | Self::Or(list) | Self::Xor(list) => {
                (&list[..], [None; 3])
            }
            Self::Repeat { bit: e, .. }
            | Self::Not(e)
            | Self::Any(e)
            | Self::Read { address: e, .. } => (none, [Some(&**e), None, None]),
            Self::Equal(a, b) | Self::Add(a, b) | Self::Sub(a, b) => {
                (none, [Some(&**a), Some(&**b), None])
            }
            Self::Mux { select, then, otherwise } => {
                (none, [Some(&**select), Some(&**then), Some(&**otherwise)])
            }
        };
        list.iter().chain(few.into_iter().flatten())
    }

    /// Direct operands, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Net(_) | Self::Reset | Self::Const { .. } | Self::Slice { .. } => Vec::new(),
            Self::Concat(list) | Self::And(list) | Self::Or(list) | Self::Xor(list) => {
                list.iter_mut().collect()
            }
            Self::Repeat { bit: e, .. }
            | Self::Not(e)
            | Self::Any(e)
            | Self::Read { address: e, .. } => vec![e],
            Self::Equal(a, b) | Self::Add(a, b) | Self::Sub(a, b) => vec![a, b],
            Self::Mux { select, then, otherwise } => vec![select, then, otherwise],
        }
    }

    /// Calls `visit` on every net that is read, with repetition.
    pub fn nets(&self, visit: &mut impl FnMut(Net)) {
        match self {
            Self::Net(net) | Self::Slice { net, .. } => visit(*net),
            _ => self.operands().for_each(|e| e.nets(visit)),
        }
    }

    /// Whether this or any operand satisfies `test`.
    pub fn contains(&self, test: &impl Fn(&Expr) -> bool) -> bool {
        test(self) || self.operands().any(|e| e.contains(test))
    }
}

impl std::ops::Not for Expr {
    type Output = Expr;
    fn not(self) -> Expr {
        Expr::Not(Box::new(self))
    }
}

impl<E: Into<Expr>> std::ops::BitAnd<E> for Expr {
    type Output = Expr;
    fn bitand(self, other: E) -> Expr {
        Expr::And(vec![self, other.into()])
    }
}

impl<E: Into<Expr>> std::ops::BitOr<E> for Expr {
    type Output = Expr;
    fn bitor(self, other: E) -> Expr {
        Expr::Or(vec![self, other.into()])
    }
}

impl<E: Into<Expr>> std::ops::BitXor<E> for Expr {
    type Output = Expr;
    fn bitxor(self, other: E) -> Expr {
        Expr::Xor(vec![self, other.into()])
    }
}

impl<E: Into<Expr>> std::ops::Add<E> for Expr {
    type Output = Expr;
    fn add(self, other: E) -> Expr {
        Expr::Add(Box::new(self), Box::new(other.into()))
    }
}

impl<E: Into<Expr>> std::ops::Sub<E> for Expr {
    type Output = Expr;
    fn sub(self, other: E) -> Expr {
        Expr::Sub(Box::new(self), Box::new(other.into()))
    }
}
