//! Switches without queues.

use std::sync::Arc;
use turnpike_base::bits::bits_for;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, RtlError};

/// The ports of a switch for words: by input, then by output, whether there is one, and the word.
struct Words {
    inputs: Vec<(Net, Net)>,
    outputs: Vec<(Net, Net)>,
}

impl Words {
    /// Words have the width of the parameter `WIDTH`, here `bits`.
    fn declare(m: &mut ModuleBuilder, inputs: u32, outputs: u32, bits: u32) -> Self {
        m.width_parameter(bits);
        let inputs = (0..inputs).map(|i| {
            let (valid, word) =
                (m.input(format!("in{i}_valid"), 1), m.input(format!("in{i}_word"), bits));
            (valid, m.parametric(word))
        });
        let inputs = inputs.collect();
        let outputs = (0..outputs).map(|o| {
            let (valid, word) =
                (m.output(format!("out{o}_valid"), 1), m.output(format!("out{o}_word"), bits));
            (valid, m.parametric(word))
        });
        Self { inputs, outputs: outputs.collect() }
    }
}

/// A switch of 2 inputs and 2 outputs, straight or crossed: `<prefix>_switch`.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn crossing(prefix: &str, bits: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_switch"));
    m.about("A switch of two inputs and two outputs, straight or crossed. Whatever `crossed` is,");
    m.about("each input goes to one output.");
    let crossed = m.input("crossed", 1);
    let words = Words::declare(&mut m, 2, 2, bits);
    for output in 0..2 {
        let (straight, other) = (words.inputs[output], words.inputs[1 - output]);
        let (valid, word) = words.outputs[output];
        m.assign(valid, Expr::from(crossed).mux(other.0, straight.0));
        m.assign(word, Expr::from(crossed).mux(other.1, straight.1));
    }
    m.finish()
}

/// A switch of other sizes: `<prefix>_switch_<inputs>x<outputs>`. Of two outputs that are told to
/// take one input, the lower-numbered has it, and the other is idle.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn selecting(
    prefix: &str,
    inputs: u32,
    outputs: u32,
    bits: u32,
) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_switch_{inputs}x{outputs}"));
    m.about(format!(
        "A switch of {inputs} inputs and {outputs} outputs. `taken<o>` is the input that output o"
    ));
    m.about("takes; it is idle where there is no such input, or an output of a lower number takes");
    m.about("it: whatever the settings are, no word is doubled.");
    let select = bits_for(inputs + 1);
    let taken: Vec<Net> = (0..outputs).map(|o| m.input(format!("taken{o}"), select)).collect();
    let words = Words::declare(&mut m, inputs, outputs, bits);
    let (valid, word): (Vec<Net>, Vec<Net>) = words.inputs.iter().copied().unzip();
    for (o, &(out_valid, out_word)) in words.outputs.iter().enumerate() {
        let lower = taken[..o].iter().map(|&lower| Expr::from(lower).equals(taken[o]));
        let lower: Vec<Expr> = lower.collect();
        let mut offered = taken[o].choose(&valid, Some(Expr::constant(1, 0)));
        if !lower.is_empty() {
            let doubled = m.define(format!("out{o}_doubled"), 1, Expr::any_of(lower));
            let chosen = m.define(format!("out{o}_offered"), 1, offered);
            offered = Expr::from(chosen) & !Expr::from(doubled);
        }
        m.assign(out_valid, offered);
        m.assign(out_word, taken[o].choose(&word, None));
    }
    m.finish()
}

/// Rule by which a switch that words set themselves chooses its setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfSetting {
    /// By the word of input 0 alone, where there is one: the other takes what is left.
    ByUpper,
    /// By both: where both need one output, the word of input 1 is lost.
    ByBoth,
}

/// A switch of 2 inputs and 2 outputs that its words set: `<prefix>_switch_by_upper` or
/// `<prefix>_switch_by_both`. `in<i>_turn` is the output that the word of input i asks for.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn self_routing(prefix: &str, goes: SelfSetting, bits: u32) -> Result<Arc<Module>, RtlError> {
    let by_both = goes == SelfSetting::ByBoth;
    let name = if by_both { "by_both" } else { "by_upper" };
    let mut m = ModuleBuilder::new(format!("{prefix}_switch_{name}"));
    m.about("A switch that its words set: `in<i>_turn` is the output that input i asks for.");
    m.about(match goes {
        SelfSetting::ByUpper => {
            "The word of input 0 gets it; that of input 1 takes the other output."
        }
        SelfSetting::ByBoth => {
            "Where both ask for one output, the word of input 1 is lost: `conflict`."
        }
    });
    let turns = [m.input("in0_turn", 1), m.input("in1_turn", 1)];
    let words = Words::declare(&mut m, 2, 2, bits);
    let conflict = by_both.then(|| m.output("conflict", 1));
    let [upper, lower] = [words.inputs[0], words.inputs[1]];
    let alone = !Expr::from(turns[1]);
    let crossed = m.define("crossed", 1, Expr::from(upper.0).mux(turns[0], alone));
    let passes = match conflict {
        None => lower.0.into(),
        Some(conflict) => {
            let same = Expr::from(turns[0]).equals(turns[1]);
            let meets = m.define("meets", 1, Expr::all([upper.0.into(), lower.0.into(), same]));
            m.assign(conflict, meets);
            Expr::from(m.define("in1_passes", 1, Expr::from(lower.0) & !Expr::from(meets)))
        }
    };
    for (o, &(valid, word)) in words.outputs.iter().enumerate() {
        let by = |straight: Expr, other: Expr| match o {
            0 => Expr::from(crossed).mux(other, straight),
            _ => Expr::from(crossed).mux(straight, other),
        };
        m.assign(valid, by(upper.0.into(), passes.clone()));
        m.assign(word, by(upper.1.into(), lower.1.into()));
    }
    m.finish()
}
