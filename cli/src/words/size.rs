//! The options that say a size.

use turnpike_network::topology::{Clos, MOST_SIDES, SIDES, Sizes};

/// The options that say a size of this sort.
pub fn options(sizes: Sizes) -> &'static str {
    match sizes {
        Sizes::Dim { .. } => "--dim K",
        Sizes::Shape { .. } => "--shape 4x4",
        Sizes::Nodes { .. } => "--nodes N",
        Sizes::Words { .. } => "--arity D --dim K",
        Sizes::Tree { .. } => "--arity K --levels L",
        Sizes::Stages { radix: (low, high), .. } if low == high => "--dim N",
        Sizes::Stages { .. } => "--dim N [--radix R]",
        Sizes::Clos => "--shape M,N,R",
    }
}

/// Up to how large, in words.
pub fn range(sizes: Sizes) -> String {
    match sizes {
        Sizes::Dim { least, most, rtl } => {
            format!("--dim {least} to {most} (Verilog up to {rtl})")
        }
        Sizes::Shape { nodes, routed } => {
            let (low, high) = SIDES;
            format!(
                "--shape 4x4: 1 to {MOST_SIDES} sides of {low} to {high}, analysed up to {nodes} nodes, \
                 simulated up to {routed} (fewer where a side is no power of two)"
            )
        }
        Sizes::Nodes { least, most } => format!("--nodes {least} to {most}"),
        Sizes::Words { arity, length, nodes } => format!(
            "--arity {} to {} --dim {} to {}: up to {nodes} nodes",
            arity.0, arity.1, length.0, length.1
        ),
        Sizes::Tree { arity, levels, terminals } => format!(
            "--arity {} to {} --levels {} to {}: up to {terminals} terminals",
            arity.0, arity.1, levels.0, levels.1
        ),
        Sizes::Stages { radix, stages, terminals, analysed } => {
            let radix = match radix {
                (low, high) if low == high => String::new(),
                (low, high) => format!(" [--radix {low} to {high}]"),
            };
            format!(
                "--dim {} to {}{radix}: up to {terminals} terminals, analysed up to {analysed}",
                stages.0, stages.1
            )
        }
        Sizes::Clos => {
            let [middle, inputs, outer] =
                Clos::RANGES.map(|(low, high)| format!("{low} to {high}"));
            format!(
                "--shape M,N,R: {middle} middle switches, {inputs} terminals at each of {outer} first switches"
            )
        }
    }
}

/// The option of a number of a size ([`Sizes::keys`]).
pub fn option(key: &str) -> String {
    match key {
        "dimension" => "--dim".to_owned(),
        key => format!("--{key}"),
    }
}
