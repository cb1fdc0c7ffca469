//! The options that say a size.

use turnpike_network::topology::parameter::Sort;
use turnpike_network::topology::{Clos, Limit, MOST_SIDES, Range, SIDES, Sizes};

/// The options that say a size of this sort.
pub fn options(sizes: Sizes) -> String {
    each(sizes, |range| format!("--{} {}", range.parameter.option, range.letter))
}

/// The options of these sizes, each as `word` has it, in brackets where it may be left out. Nothing of
/// those that have one value alone.
fn each(sizes: Sizes, word: impl Fn(Range) -> String) -> String {
    let of = |range: Range| match range.parameter.default {
        Some(_) => format!("[{}]", word(range)),
        None => word(range),
    };
    sizes.ranges().filter(Range::is_choice).map(of).collect::<Vec<_>>().join(" ")
}

/// Up to how large, in words.
pub fn range(sizes: Sizes) -> String {
    let options = each(sizes, |Range { parameter, letter, low, high }| match parameter.sort {
        Sort::Number => format!("--{} {low} to {high}", parameter.option),
        Sort::Sides | Sort::Clos => format!("--{} {letter}", parameter.option),
    });
    match sizes.limit {
        Limit::Rtl(rtl) => format!("{options} (Verilog up to {rtl})"),
        Limit::Nodes(nodes) => format!("{options}: up to {nodes} nodes"),
        Limit::Terminals(terminals) => format!("{options}: up to {terminals} terminals"),
        Limit::Analysed { terminals, analysed } => {
            format!("{options}: up to {terminals} terminals, analysed up to {analysed}")
        }
        Limit::Routed { nodes, routed } => {
            let (low, high) = SIDES;
            format!(
                "{options}: 1 to {MOST_SIDES} sides of {low} to {high}, analysed up to {nodes} nodes, \
                 simulated up to {routed} (fewer where a side is no power of two)"
            )
        }
        Limit::Clos => {
            let [middle, inputs, outer] =
                Clos::RANGES.map(|(low, high)| format!("{low} to {high}"));
            format!(
                "{options}: {middle} middle switches, {inputs} terminals at each of {outer} first switches"
            )
        }
        Limit::Ranges => options,
    }
}
