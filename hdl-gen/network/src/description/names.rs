//! Names of nodes and terminals, as they are given and as they stand in Verilog.

use std::collections::HashSet;

/// Longest identifier of a node or terminal: leaves room for what stands around it.
const MOST_CHARACTERS: usize = 48;

/// A name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Name as part of identifiers: letters, digits and underscores.
    pub identifier: String,
    /// Name as it was given, where that is something else.
    pub original: Option<String>,
}

impl Name {
    /// Whether this is what somebody calls it: as it was given, or as it stands in Verilog.
    pub fn is_called(&self, text: &str) -> bool {
        self.identifier == text || self.original.as_deref() == Some(text)
    }
}

/// Identifiers that are taken.
#[derive(Default)]
pub(super) struct Taken(HashSet<String>);

impl Taken {
    /// The name for a text: other characters become underscores, and what is taken gets a number.
    pub(super) fn name(&mut self, text: &str) -> Name {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut stem: String = text.chars().take(MOST_CHARACTERS).map(plain).collect();
        if stem.is_empty() {
            stem.push('_');
        }
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        let free =
            std::iter::once(stem.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let identifier = free.expect("there is always another number");
        self.0.insert(identifier.clone());
        let original = (identifier != text).then(|| text.to_owned());
        Name { identifier, original }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_of_their_own() {
        let mut taken = Taken::default();
        let mut identifier = |text: &str| taken.name(text).identifier;
        assert_eq!(identifier("cpu0"), "cpu0");
        assert_eq!(identifier("cpu 1"), "cpu_1");
        assert_eq!(identifier("cpu-1"), "cpu_1_2");
        assert_eq!(identifier("cpu_1_2"), "cpu_1_2_2");
        assert_eq!(identifier("größe"), "gr__e");
        assert_eq!(identifier(""), "_");
        assert_eq!(identifier(&"a".repeat(100)).len(), MOST_CHARACTERS);
        let name = Taken::default().name("a b");
        assert_eq!(name.original.as_deref(), Some("a b"));
        assert_eq!(Taken::default().name("a_b").original, None);
    }
}
