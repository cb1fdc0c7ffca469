//! The table of the names of one module.

use super::keywords::{SYSTEMVERILOG_KEYWORDS, VERILOG_KEYWORDS};
use std::collections::HashSet;

/// Longest identifier of a net, memory or instance, in characters. IEEE 1364-2005 (section 3.7)
/// asks every tool for 1024.
pub const LONGEST_IDENTIFIER: usize = 255;

/// Longest stem: it leaves room for a number and for what stands around it.
const LONGEST_STEM: usize = LONGEST_IDENTIFIER - 64;

/// The names of one module. Each name that is asked for comes back as an identifier of its own:
/// the wish itself where that is one and is free, and otherwise the wish with a number.
///
/// Identifiers are those of Verilog, SystemVerilog and VHDL alike: letters, digits and single
/// underscores, a letter first and no underscore last, and no two that differ in case alone.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Names that are taken, in small letters.
    taken: HashSet<String>,
}

impl Names {
    /// A table in which these names are taken.
    pub fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Self { taken: taken.into_iter().map(str::to_ascii_lowercase).collect() }
    }

    /// Takes a name as it is, whether it was free or not.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }

    pub fn identifier(&mut self, wish: &str) -> String {
        // What most wishes are: identifiers that are free, and short enough for a number.
        if wish.len() <= LONGEST_STEM && is_basic(wish) {
            let lower = wish.to_ascii_lowercase();
            if self.taken.insert(lower) {
                return wish.to_owned();
            }
        }
        self.stem(wish, |stem| vec![stem.to_owned()])
    }

    /// A part of identifiers that is told apart from other parts: what stands around it is the same
    /// for all parts of this table, and begins with a letter.
    pub fn part(&mut self, wish: &str) -> String {
        self.find(&cut(plain(wish)), |part| vec![part.to_owned()], |_| true)
    }

    /// A stem of several names: `names` makes them, and each is an identifier that was free. They
    /// are taken.
    pub fn stem(&mut self, wish: &str, names: impl Fn(&str) -> Vec<String>) -> String {
        let mut stem = cut(plain(wish));
        let begins = |name: &String| name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !names(&stem).iter().all(begins) {
            stem.insert(0, 'n');
        }
        self.find(&stem, names, is_basic)
    }

    fn find(
        &mut self,
        stem: &str,
        names: impl Fn(&str) -> Vec<String>,
        is_good: impl Fn(&str) -> bool,
    ) -> String {
        let numbered = (2u32..).map(|number| format!("{stem}_{number}"));
        let candidates = std::iter::once(stem.to_owned()).chain(numbered);
        for stem in candidates {
            let names = names(&stem);
            let lower: HashSet<String> = names.iter().map(|n| n.to_ascii_lowercase()).collect();
            let apart = lower.len() == names.len() && lower.is_disjoint(&self.taken);
            if apart && names.iter().all(|name| is_good(name)) {
                self.taken.extend(lower);
                return stem;
            }
        }
        unreachable!("there is always another number")
    }
}

/// Whether a name is an identifier in Verilog, SystemVerilog and VHDL: a basic identifier of VHDL
/// that is no keyword of Verilog's. A name inside a module may be a keyword of VHDL.
pub fn is_basic(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= LONGEST_IDENTIFIER
        && is_plain(name)
        && [VERILOG_KEYWORDS, SYSTEMVERILOG_KEYWORDS]
            .iter()
            .all(|w| w.binary_search(&name).is_err())
}

/// Whether [`plain`] leaves a text as it is.
fn is_plain(text: &str) -> bool {
    let mut parts = text.split('_');
    parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// The letters and digits of a text, with one underscore between them for whatever else there is.
fn plain(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
    if parts.is_empty() { "x".to_owned() } else { parts.join("_") }
}

/// A stem that leaves room for a number and for what stands around it.
fn cut(mut plain: String) -> String {
    plain.truncate(LONGEST_STEM);
    plain.truncate(plain.trim_end_matches('_').len());
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_granted_where_nothing_clashes() {
        let mut names = Names::new(["clk"]);
        for wish in ["dim0_in_valid", "n00_eject", "select", "A1"] {
            assert_eq!(names.identifier(wish), wish);
        }
        assert_eq!(names.identifier("clk"), "clk_2");
    }

    #[test]
    fn what_clashes_gets_a_number() {
        let mut names = Names::default();
        let mut name = |wish: &str| names.identifier(wish);
        assert_eq!(name("a_b_c"), "a_b_c");
        assert_eq!(name("a_b_c"), "a_b_c_2");
        assert_eq!(name("A_b_c"), "A_b_c_3");
        assert_eq!(name("a_b_c_2"), "a_b_c_2_2");
        assert_eq!(name("a__b_c_"), "a_b_c_4");
    }

    #[test]
    fn every_name_is_basic() {
        let mut names = Names::default();
        let long = "x".repeat(1000);
        for wish in ["", "_", "9", "0_0", "wire", "Wire", "é", "_unused_a", "a-b", &long, &long] {
            let name = names.identifier(wish);
            assert!(is_basic(&name), "{wish}: {name}");
        }
        for bad in ["", "_a", "a_", "a__b", "9a", "wire", "a b", &long] {
            assert!(!is_basic(bad), "{bad}");
        }
        for text in ["", "_a", "a_", "a__b", "9a", "wire", "a b", "é", "_", "a_b", "A_9_b"] {
            assert_eq!(is_plain(text), plain(text) == text, "{text}");
        }
    }

    #[test]
    fn keywords_are_in_order() {
        assert!([VERILOG_KEYWORDS, SYSTEMVERILOG_KEYWORDS].iter().all(|words| words.is_sorted()));
    }

    #[test]
    fn names_of_a_stem_are_free_together() {
        let mut names = Names::new(["a_valid"]);
        let stream = |stem: &str| ["valid", "ready"].map(|s| format!("{stem}_{s}")).to_vec();
        assert_eq!(names.stem("a", stream), "a_2");
        assert_eq!(names.identifier("a_ready"), "a_ready");
        assert_eq!(names.identifier("a_2_ready"), "a_2_ready_2");
        assert_eq!(names.stem("b_", stream), "b");
        let around = |stem: &str| vec![format!("n{stem}_switch")];
        assert_eq!(names.stem("0", around), "0");
    }

    #[test]
    fn parts_stand_inside_of_names() {
        let mut parts = Names::default();
        let mut part = |wish: &str| parts.part(wish);
        assert_eq!(["wire", "0", "Wire", "_"].map(&mut part), ["wire", "0", "Wire_2", "x"]);
    }
}
