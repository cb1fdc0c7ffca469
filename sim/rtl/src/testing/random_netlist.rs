//! Random legal netlists: what the evaluator, the printer and the Verilog tools must agree on.

use std::sync::Arc;
use turnpike_base::bits::low_bits;
use turnpike_base::random::Random;
use turnpike_netlist::check::address_bits;
use turnpike_netlist::{Expr, MemoryId, Module, ModuleBuilder, Net, Register};

/// Size of the random netlists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Wires per module, at least 1.
    pub wires: u32,
    /// Registers per module.
    pub registers: u32,
    /// Memories per module.
    pub memories: u32,
    /// Tables per module.
    pub tables: u32,
    /// Levels of instances below the top.
    pub levels: u32,
    /// The widest net, at least 1.
    pub width: u32,
    /// Operators within operators, at most.
    pub nesting: u32,
    /// Whether every bit has a value from the first reset on: all registers have a reset, and
    /// words of memories are looked at only once they were written. Verilog has `x` there
    /// where the evaluator has 0.
    pub known: bool,
    /// Whether every other leaf is a constant (a single bit, a mask, all ones) or one bit
    /// repeated, and of the others every second one a whole net: what the compiler's rules fold
    /// and share.
    pub constants: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            wires: 12,
            registers: 4,
            memories: 1,
            tables: 1,
            levels: 2,
            width: 130,
            nesting: 3,
            known: true,
            constants: false,
        }
    }
}

/// A random netlist; the same seed and shape give the same one everywhere. The top has inputs
/// `in0`, `in1` ..., outputs `out0`, `out1` ..., and `observed`: every net that nothing else
/// reads, side by side, so that no difference inside stays unseen for ever.
///
/// # Panics
/// Never, unless this generator is wrong: what it builds passes the netlist's own checks.
pub fn random_netlist(seed: u64, shape: &Shape) -> Arc<Module> {
    level(&mut Random::new(seed), seed, shape, shape.levels)
}

fn level(random: &mut Random, seed: u64, shape: &Shape, above: u32) -> Arc<Module> {
    let children: Vec<Arc<Module>> = match above {
        0 => Vec::new(),
        _ => (0..1 + random.below(2)).map(|_| level(random, seed, shape, above - 1)).collect(),
    };
    let name = format!("random_{seed}_{above}_{}", random.below(1 << 30));
    let mut generator = Generator::new(&name, random.clone(), *shape);
    generator.build(&children);
    *random = generator.random.clone();
    generator.finish()
}

struct Generator {
    m: ModuleBuilder,
    random: Random,
    shape: Shape,
    /// Nets that expressions may read, and whether one does.
    nets: Vec<Net>,
    read: Vec<bool>,
    memories: Vec<(MemoryId, u32, u32)>,
    outputs: Vec<Net>,
    observed: Net,
}

impl Generator {
    fn new(name: &str, mut random: Random, shape: Shape) -> Self {
        let mut m = ModuleBuilder::new(name);
        m.about("A random netlist, for tests.");
        let mut nets = Vec::new();
        for i in 0..1 + random.below(4) {
            let width = width(&mut random, &shape);
            nets.push(m.input(format!("in{i}"), width));
        }
        let mut outputs = Vec::new();
        for i in 0..1 + random.below(3) {
            let width = width(&mut random, &shape);
            outputs.push(m.output(format!("out{i}"), width));
        }
        // As wide as it has to be in the end.
        let observed = m.output("observed", 1);
        let read = vec![false; nets.len()];
        Self { m, random, shape, nets, read, memories: Vec::new(), outputs, observed }
    }

    fn unread(&self) -> Vec<Net> {
        let nets = self.nets.iter().zip(&self.read);
        let mut unread: Vec<Net> = nets.filter(|(_, read)| !**read).map(|(&net, _)| net).collect();
        unread.sort_unstable();
        unread
    }

    fn add(&mut self, net: Net) {
        self.nets.push(net);
        self.read.push(false);
    }

    fn build(&mut self, children: &[Arc<Module>]) {
        let registers: Vec<Net> = (0..self.shape.registers)
            .map(|i| {
                let width = self.width();
                self.m.reg(format!("state{i}"), width)
            })
            .collect();
        registers.iter().for_each(|&net| self.add(net));
        for i in 0..self.shape.memories {
            let (width, depth) = (self.width(), 2 + self.random.below(7));
            let memory = self.m.memory(format!("words{i}"), width, depth);
            self.memories.push((memory, width, depth));
        }
        let placed = self.shape.wires.max(1) / (children.len() as u32 + 1).max(2);
        let mut waiting = children.iter().enumerate();
        for i in 0..self.shape.wires.max(1) {
            let width = self.width();
            let value = self.expr(width, self.shape.nesting);
            let net = self.m.define(format!("wire{i}"), width, value);
            self.add(net);
            if i % placed.max(1) == 0
                && let Some((at, child)) = waiting.next()
            {
                self.instance(at, child);
            }
        }
        waiting.for_each(|(at, child)| self.instance(at, child));
        (0..self.shape.tables).for_each(|i| self.table(i));
        (0..self.memories.len()).for_each(|i| self.memory(i));
        for net in self.outputs.clone() {
            let value = self.expr(net.width, self.shape.nesting);
            self.m.assign(net, value);
        }
        for net in registers {
            let next = self.expr(net.width, self.shape.nesting);
            let reset = self.shape.known || self.random.below(2) == 0;
            let reset = reset.then(|| self.value(net.width));
            let enable = (self.random.below(2) == 0).then(|| self.expr(1, 2));
            self.m.registers(vec![Register { net, reset, enable, next }]);
        }
    }

    fn finish(mut self) -> Arc<Module> {
        let unread = self.unread();
        let net = match unread.iter().map(|net| net.width).sum() {
            0 => self.observed,
            width => self.m.resize(self.observed, width),
        };
        let all: Vec<Expr> = unread.into_iter().map(Expr::from).collect();
        let observed = if all.is_empty() { Expr::constant(1, 0) } else { Expr::concat(all) };
        self.m.assign(net, observed);
        self.m.finish().unwrap_or_else(|e| panic!("the generator of random netlists: {e}"))
    }

    fn instance(&mut self, at: usize, child: &Arc<Module>) {
        let mut connections = Vec::new();
        let mut results = Vec::new();
        for (port, info) in child.ports() {
            let input = info.kind == turnpike_netlist::NetKind::Input;
            let e = match input {
                true => self.expr(port.width, 2),
                false => {
                    let net = self.m.wire(format!("inner{at}_{}", info.name), port.width);
                    results.push(net);
                    net.into()
                }
            };
            connections.push((info.name.as_str(), e));
        }
        self.m.instance(format!("inner{at}"), child, connections);
        results.into_iter().for_each(|net| self.add(net));
    }

    fn table(&mut self, i: u32) {
        let (bits, width) = (1 + self.random.below(6), self.width());
        let index = self.expr(bits, 1);
        let index = self.m.define(format!("index{i}"), bits, index);
        let net = self.m.wire(format!("row{i}"), width);
        let rows = (0..1 << bits).map(|_| self.value(width)).collect();
        self.m.table(net, index, rows);
        self.add(net);
    }

    /// The write port of a memory, and a look at it.
    fn memory(&mut self, i: usize) {
        let (memory, width, depth) = self.memories[i];
        let bits = address_bits(depth);
        let mut part = |name: &str, width: u32| {
            let e = self.expr(width, 2);
            self.m.define(format!("memory{i}_{name}"), width, e)
        };
        let (enable, to, from) = (part("write", 1), part("to", bits), part("from", bits));
        let data = part("data", width);
        self.m.write(memory, enable.into(), to.into(), data.into());
        let word = Expr::Read { memory, address: Box::new(from.into()) };
        let word = match self.shape.known {
            false => word,
            true => {
                let is =
                    |net: Net, at: u32| Expr::from(net).equals(Expr::constant(bits, at.into()));
                let written: Vec<Expr> = (0..depth)
                    .map(|at| {
                        let net = self.m.reg(format!("memory{i}_written{at}"), 1);
                        let next = Expr::constant(1, 1);
                        let enable = Some(is(to, at) & enable);
                        self.m.registers(vec![Register { net, reset: Some(0), enable, next }]);
                        is(from, at) & net
                    })
                    .collect();
                Expr::any_of(written).mux(word, Expr::constant(width, 0))
            }
        };
        let word = self.m.define(format!("memory{i}_word"), width, word);
        self.add(word);
    }

    fn width(&mut self) -> u32 {
        width(&mut self.random, &self.shape)
    }

    /// A value of up to 64 bits.
    fn value(&mut self, width: u32) -> u64 {
        let word =
            u64::from(self.random.below(u32::MAX)) << 32 | u64::from(self.random.below(u32::MAX));
        word & low_bits(width)
    }

    fn pick(&mut self) -> Net {
        let at = self.random.below(self.nets.len() as u32) as usize;
        self.read[at] = true;
        self.nets[at]
    }

    /// An expression without operators.
    fn leaf(&mut self, width: u32) -> Expr {
        if self.shape.constants {
            match self.random.below(4) {
                0 | 1 => return self.constant(width),
                // The same word again, whole, so that several operators read it.
                2 => {
                    let like = |&at: &usize| self.nets[at].width == width;
                    let like: Vec<usize> = (0..self.nets.len()).filter(like).collect();
                    if !like.is_empty() {
                        let at = like[self.random.below(like.len() as u32) as usize];
                        self.read[at] = true;
                        return self.nets[at].into();
                    }
                }
                _ => {}
            }
        }
        // Rather a net that nothing reads yet, so that most of what is built matters.
        for _ in 0..8 {
            let at = self.random.below(self.nets.len() as u32) as usize;
            let net = self.nets[at];
            if net.width >= width {
                self.read[at] = true;
                let low = self.random.below(net.width - width + 1);
                return net.slice(low, width);
            }
        }
        match self.random.below(8) {
            0 if width == 1 => Expr::Reset,
            0 | 1 => Expr::constant(width, self.value(width)),
            2 => {
                let net = self.pick();
                let low = self.random.below(net.width);
                net.bit(low).repeat(width)
            }
            _ if width > 1 => {
                let low = 1 + self.random.below(width - 1);
                Expr::concat([self.leaf(width - low), self.leaf(low)])
            }
            _ => Expr::from(self.pick()).any(),
        }
    }

    /// A constant, or a bit in all bits.
    fn constant(&mut self, width: u32) -> Expr {
        let low = low_bits(width.min(64));
        let value = match self.random.below(6) {
            0 => 0,
            1 => low,
            2 => 1,
            3 => 1 << self.random.below(width.min(64)),
            4 => self.value(width),
            _ => {
                let net = self.pick();
                let at = self.random.below(net.width);
                return net.bit(at).repeat(width);
            }
        };
        Expr::constant(width, value)
    }

    fn expr(&mut self, width: u32, nesting: u32) -> Expr {
        if nesting == 0 {
            return self.leaf(width);
        }
        let deeper = nesting - 1;
        let list = |g: &mut Self| -> Vec<Expr> {
            (0..2 + g.random.below(2)).map(|_| g.expr(width, deeper)).collect()
        };
        match self.random.below(13) {
            0 => !self.expr(width, deeper),
            1 => Expr::And(list(self)),
            2 => Expr::Or(list(self)),
            3 => Expr::Xor(list(self)),
            4 => self.expr(width, deeper) + self.expr(width, deeper),
            5 => self.expr(width, deeper) - self.expr(width, deeper),
            6 | 7 => {
                let select = self.expr(1, deeper);
                select.mux(self.expr(width, deeper), self.expr(width, deeper))
            }
            8 if width > 1 => {
                let low = 1 + self.random.below(width - 1);
                Expr::concat([self.expr(width - low, deeper), self.expr(low, deeper)])
            }
            9 => self.expr(1, deeper).repeat(width),
            10 if width == 1 => {
                let of = self.width();
                self.expr(of, deeper).any()
            }
            11 | 12 if width == 1 => {
                let of = self.width();
                let a = self.expr(of, deeper);
                // Mostly one that it can equal.
                let b = match self.random.below(3) {
                    0 => self.expr(of, deeper),
                    _ => a.clone() ^ Expr::constant(of, u64::from(self.random.below(2) == 0)),
                };
                a.equals(b)
            }
            _ => self.leaf(width),
        }
    }
}

/// Narrow and one-bit nets are frequent, and so are those about a multiple of 64.
pub(super) fn width(random: &mut Random, shape: &Shape) -> u32 {
    let width = match random.below(6) {
        0 => 1,
        1 | 2 => 1 + random.below(8),
        3 => 62 + random.below(5),
        _ => 1 + random.below(shape.width),
    };
    width.min(shape.width)
}
