//! Numbers as users write them.

use std::str::FromStr;

/// The number of a text of decimal digits alone, where it is in the range of its type. `parse` by
/// itself takes a sign, too.
pub fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
}

/// The number of a text of decimal digits alone, or of hexadecimal ones behind `0x`.
pub fn address(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u32::from_str_radix(hex, 16).ok()
        }
        Some(_) => None,
        None => digits(text),
    }
}

/// Greatest common divisor; of 0 and another number, the other.
pub fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The sides of a grid in words, X first: `8x8`.
pub fn sides_in_words(sides: &[u32]) -> String {
    sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decimal_or_hexadecimal() {
        assert_eq!(
            ["0", "16", "0x10", "0xfFfFfFfF"].map(address),
            [Some(0), Some(16), Some(16), Some(u32::MAX)]
        );
        for wrong in ["", "0x", "0x+1", "0xg", "x10", "-1", "4294967296", "0x100000000", "10h"] {
            assert_eq!(address(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn digits_alone_are_a_number() {
        assert_eq!(["0", "007", "4294967295"].map(digits), [Some(0u32), Some(7), Some(u32::MAX)]);
        for wrong in ["", "+1", "-0", "1.5", "4294967296", " 1", "\u{661}"] {
            assert_eq!(digits::<u32>(wrong), None, "{wrong}");
        }
    }
}
