//! Labels that several topologies share: binary digits, most significant first, and numbers.

use super::{Node, Terminal, TopologyError};
use turnpike_base::numbers::digits;

/// `value` in `digits` binary digits.
pub(super) fn binary(value: u32, digits: u32) -> String {
    format!("{value:0width$b}", width = digits as usize)
}

/// The value of exactly `digits` (at most 32) binary digits.
pub(super) fn parse_binary(text: &str, digits: u32) -> Option<u32> {
    // `from_str_radix` alone would take a sign.
    let binary = text.len() == digits as usize && text.bytes().all(|b| matches!(b, b'0' | b'1'));
    u32::from_str_radix(text, 2).ok().filter(|_| binary)
}

/// The node of a cube of `digits` dimensions whose number is its label.
pub(super) fn cube_node(
    topology: &'static str,
    label: &str,
    digits: u32,
) -> Result<Node, TopologyError> {
    parse_binary(label, digits).map(Node).ok_or_else(|| TopologyError::Label {
        topology,
        label: label.to_owned(),
        expected: format!(
            "{digits} binary digits, most significant first, such as {}",
            binary(1, digits)
        ),
    })
}

/// `value` in `digits` binary digits, with `mark` in the place of bit `bit`.
pub(super) fn crossed(value: u32, digits: u32, bit: u32, mark: char) -> String {
    let text = binary(value, digits);
    let place = (digits - 1 - bit) as usize;
    format!("{}{mark}{}", &text[..place], &text[place + 1..])
}

/// The bit in whose place `mark` stands, and the value with that bit 0.
pub(super) fn parse_crossed(text: &str, digits: u32, mark: char) -> Option<(u32, u32)> {
    let place = text.find(mark)?;
    let value = parse_binary(&text.replacen(mark, "0", 1), digits)?;
    Some((digits - 1 - place as u32, value))
}

/// The number of decimal digits alone, without zeros before it.
pub(super) fn parse_number(text: &str) -> Option<u32> {
    digits(text).filter(|_| text == "0" || !text.starts_with('0'))
}

/// The terminal of a network of `terminals` terminals whose number is its label.
pub(super) fn numbered_terminal(
    topology: &'static str,
    label: &str,
    terminals: u32,
) -> Result<Terminal, TopologyError> {
    numbered_node(topology, label, terminals).map(|node| Terminal(node.0))
}

/// The node of a network of `nodes` nodes whose number is its label.
pub(super) fn numbered_node(
    topology: &'static str,
    label: &str,
    nodes: u32,
) -> Result<Node, TopologyError> {
    let node = parse_number(label).filter(|&number| number < nodes).map(Node);
    node.ok_or_else(|| TopologyError::Label {
        topology,
        label: label.to_owned(),
        expected: format!("a number from 0 to {}", nodes - 1),
    })
}
