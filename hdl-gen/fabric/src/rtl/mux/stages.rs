//! Multiplexers out of stages that fill one four-input LUT per bit and take in two sources
//! each. A mapper that sees the whole takes them apart again, at a quarter more LUTs, so each
//! stage is a module that synthesis is told to keep.
//!
//! The first stage of a chain passes its first or second source, or else a constant. Of the
//! stages behind it one may be told to join: it takes that constant as the choice between its
//! own two sources; the others pass on what came.

use std::collections::BTreeMap;
use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// Sources that one chain takes in; more are chains side by side, joined by an OR.
const CHAIN: usize = 6;
/// Sources per chain where there are several.
const SHORT_CHAIN: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Two,
    Either,
    Steer,
    Join,
}

/// The stages that a fabric uses, by kind and width.
#[derive(Debug, Default)]
pub struct Stages(BTreeMap<(Stage, u32), Arc<Module>>);

/// Place that stages are added to: a module, its stages, and a prefix of their names.
pub(in crate::rtl) struct Chains<'a> {
    pub m: &'a mut ModuleBuilder,
    pub stages: &'a mut Stages,
    pub prefix: &'a str,
}

impl Chains<'_> {
    /// The selected one of `sources`, two or more, by a one-hot select.
    pub fn by_select(&mut self, select: Net, sources: &[Net]) -> Result<Expr, RtlError> {
        if sources.len() <= CHAIN {
            self.m.section("Two sources per stage");
            return Ok(self.chain("", select, sources)?.into());
        }
        let mut chains: Vec<Expr> = Vec::new();
        for (i, part) in sources.chunks(SHORT_CHAIN).enumerate() {
            let first = (i * SHORT_CHAIN) as u32;
            let last = first + part.len() as u32 - 1;
            self.m.section(format!("Sources {first} to {last}: 0 where none is selected"));
            let bits = select.slice(first, part.len() as u32);
            let bits = self.m.define(format!("chain{i}_select"), part.len() as u32, bits);
            chains.push(self.gated(&format!("chain{i}_"), bits, part)?);
        }
        self.m.section("The chain with the selected source");
        Ok(Expr::any_of(chains))
    }

    /// A chain over two to [`CHAIN`] sources.
    fn chain(&mut self, name: &str, select: Net, sources: &[Net]) -> Result<Net, RtlError> {
        let stage = |i: usize| format!("{name}stage{i}");
        let mut out = match sources {
            // Nothing behind it is to be steered.
            [a, b] | [a, b, _] => self.either(&stage(0), select, [*a, *b])?,
            _ => self.first(name, &stage(0), select, sources)?,
        };
        for (i, pair) in sources.chunks(2).enumerate().skip(1) {
            let at = 2 * i as u32;
            out = match *pair {
                [a, b] => self.joined(&stage(i), select, at, out, [a, b])?,
                _ => self.two(&stage(i), select.bit(at), out, pair[0])?,
            };
        }
        Ok(out)
    }

    /// A chain over one to [`SHORT_CHAIN`] sources that gives 0 where none is selected.
    fn gated(&mut self, name: &str, select: Net, sources: &[Net]) -> Result<Expr, RtlError> {
        let alone = |at: usize| select.bit(at as u32).repeat(sources[at].width) & sources[at];
        let stage = |i: usize| format!("{name}stage{i}");
        match *sources {
            [_] => Ok(alone(0)),
            [a, b] => Ok(self.either(&stage(0), select, [a, b])?.into()),
            [a, b, _] => Ok(Expr::from(self.either(&stage(0), select, [a, b])?) | alone(2)),
            _ => {
                let first = self.first(name, &stage(0), select, sources)?;
                let last = [sources[2], sources[3]];
                Ok(self.joined(&stage(1), select, 2, first, last)?.into())
            }
        }
    }

    /// The first stage of a chain: source 0 or 1, else whether the one selected is the second
    /// of its pair.
    fn first(
        &mut self,
        name: &str,
        stage: &str,
        select: Net,
        sources: &[Net],
    ) -> Result<Net, RtlError> {
        let odd = (1..sources.len() as u32).step_by(2).map(|i| select.bit(i));
        let second = self.m.define(format!("{name}second"), 1, Expr::any_of(odd));
        let steer = !(select.bit(0) | select.bit(1));
        let steer = self.m.define(format!("{name}steer"), 1, steer);
        self.steer(stage, [second, steer], [sources[0], sources[1]])
    }

    /// A stage that takes in the sources selected by bits `at` and `at + 1`.
    fn joined(
        &mut self,
        stage: &str,
        select: Net,
        at: u32,
        came: Net,
        sources: [Net; 2],
    ) -> Result<Net, RtlError> {
        let join = select.bit(at) | select.bit(at + 1);
        let join = self.m.define(format!("{stage}_join"), 1, join);
        self.join(stage, join, came, sources)
    }

    /// The word at `address` out of two to eight; a place beyond the last is never asked for.
    pub fn by_address(&mut self, address: Net, words: &[Net]) -> Result<Net, RtlError> {
        if let Some((low, high)) = words.split_at_checked(4).filter(|(_, high)| !high.is_empty()) {
            let (low, high) =
                (self.four("low_", address, low)?, self.four("high_", address, high)?);
            return self.two("halves", address.bit(2), low, high);
        }
        self.four("", address, words)
    }

    /// The word at the two lowest bits of `address`, out of one to four.
    fn four(&mut self, name: &str, address: Net, words: &[Net]) -> Result<Net, RtlError> {
        let stage = |i: usize| format!("{name}stage{i}");
        match *words {
            [a] => Ok(a),
            [a, b] => self.two(&stage(0), address.bit(0), a, b),
            [a, b, c] => {
                let low = self.two(&stage(0), address.bit(0), a, b)?;
                self.two(&stage(1), address.bit(1), low, c)
            }
            _ => {
                let second = self.m.define(format!("{name}second"), 1, address.bit(0));
                let steer = self.m.define(format!("{name}steer"), 1, address.bit(1));
                let low = self.steer(&stage(0), [second, steer], [words[0], words[1]])?;
                self.join(&stage(1), steer, low, [words[2], words[3]])
            }
        }
    }

    /// `choice ? b : a`.
    fn two(&mut self, name: &str, choice: Expr, a: Net, b: Net) -> Result<Net, RtlError> {
        self.place(Stage::Two, name, [("choice", choice)], [("a", a), ("b", b)])
    }

    /// The source selected by bit 0 or 1; 0 where neither is.
    fn either(&mut self, name: &str, select: Net, [a, b]: [Net; 2]) -> Result<Net, RtlError> {
        let controls = [("take_a", select.bit(0)), ("take_b", select.bit(1))];
        self.place(Stage::Either, name, controls, [("a", a), ("b", b)])
    }

    /// Source a or b by `second`, or where `steer` is high the constant `second`.
    fn steer(&mut self, name: &str, of: [Net; 2], [a, b]: [Net; 2]) -> Result<Net, RtlError> {
        let [second, steer] = of.map(Expr::from);
        let controls = [("second", second), ("steer", steer)];
        self.place(Stage::Steer, name, controls, [("a", a), ("b", b)])
    }

    /// The value that came, or, where `join` is high, source a or b as chosen by the constant that
    /// came.
    fn join(
        &mut self,
        name: &str,
        join: Net,
        came: Net,
        [a, b]: [Net; 2],
    ) -> Result<Net, RtlError> {
        let data = [("came", came), ("a", a), ("b", b)];
        self.place(Stage::Join, name, [("joins", join.into())], data)
    }

    fn place<const C: usize, const D: usize>(
        &mut self,
        stage: Stage,
        name: &str,
        controls: [(&str, Expr); C],
        data: [(&str, Net); D],
    ) -> Result<Net, RtlError> {
        let width = data[0].1.width;
        let module = match self.stages.0.get(&(stage, width)) {
            Some(module) => Arc::clone(module),
            None => {
                let module = build(self.prefix, stage, width)?;
                self.stages.0.insert((stage, width), Arc::clone(&module));
                module
            }
        };
        let out = self.m.wire(format!("{name}_out"), width);
        let data = data.map(|(port, net)| (port, net.into()));
        let connections = controls.into_iter().chain(data).chain([("out", out.into())]);
        self.m.instance(name, &module, connections);
        Ok(out)
    }
}

fn build(prefix: &str, stage: Stage, width: u32) -> Result<Arc<Module>, RtlError> {
    let name = match stage {
        Stage::Two => "two",
        Stage::Either => "either",
        Stage::Steer => "steer",
        Stage::Join => "join",
    };
    let mut m = ModuleBuilder::new(format!("{prefix}_stage_{name}"));
    m.width_parameter(width);
    m.keep_hierarchy();
    m.about("A stage of a multiplexer: one four-input LUT per bit.");
    let about: &[&str] = match stage {
        Stage::Two => &["One of two sources."],
        Stage::Either => &["One of two sources by a one-hot select; 0 where neither is selected."],
        Stage::Steer => &[
            "Source a or b. Where steer is high it is the constant `second` in every bit, by which",
            "a later stage chooses.",
        ],
        Stage::Join => &[
            "What came. Where joins is high every bit that came is the same, and chooses between the",
            "sources a and b.",
        ],
    };
    about.iter().for_each(|line| m.about(*line));
    let control = |m: &mut ModuleBuilder, name: &str| m.input(name, 1);
    let data = |m: &mut ModuleBuilder, name: &str| {
        let net = m.input(name, width);
        m.parametric(net)
    };
    let out = match stage {
        Stage::Two => {
            let choice = control(&mut m, "choice");
            let [a, b] = ["a", "b"].map(|name| data(&mut m, name));
            Expr::from(choice).mux(b, a)
        }
        Stage::Either => {
            let takes = ["take_a", "take_b"].map(|name| control(&mut m, name));
            let sources = ["a", "b"].map(|name| data(&mut m, name));
            let gated = |(take, source): (Net, Net)| Expr::from(take).fill(width) & source;
            Expr::any_of(takes.into_iter().zip(sources).map(gated))
        }
        Stage::Steer => {
            let [second, steer] = ["second", "steer"].map(|name| control(&mut m, name));
            let [a, b] = ["a", "b"].map(|name| data(&mut m, name));
            let constant = Expr::from(second).fill(width);
            Expr::from(steer).mux(constant, Expr::from(second).mux(b, a))
        }
        Stage::Join => {
            let join = control(&mut m, "joins");
            let [came, a, b] = ["came", "a", "b"].map(|name| data(&mut m, name));
            let chosen = (Expr::from(came) & b) | (!Expr::from(came) & a);
            Expr::from(join).mux(chosen, came)
        }
    };
    let port = m.output("out", width);
    m.parametric(port);
    m.assign(port, out);
    m.finish()
}
