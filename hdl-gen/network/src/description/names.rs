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

/// Text as an identifier: other characters become underscores.
pub(super) fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let stem: String = text.chars().take(MOST_CHARACTERS).map(plain).collect();
    if stem.is_empty() { "_".to_owned() } else { stem }
}

/// Names of texts, each with an identifier of its own: a text that is an identifier keeps it, whatever
/// stands before it; of the others, what is taken gets a number.
pub(super) fn of_texts(texts: &[String]) -> Vec<Name> {
    let is_own = |text: &&String| identifier(text) == **text;
    let mut taken: HashSet<String> = texts.iter().filter(is_own).cloned().collect();
    let mut name = |text: &String| {
        if is_own(&text) {
            return Name { identifier: text.clone(), original: None };
        }
        let stem = identifier(text);
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|name| !taken.contains(name));
        let identifier = free.expect("there is always another number");
        taken.insert(identifier.clone());
        Name { identifier, original: Some(text.clone()) }
    };
    texts.iter().map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_of_their_own() {
        let long = "a".repeat(100);
        let texts = ["cpu0", "cpu 1", "cpu-1", "cpu_1_2", "größe", "", &long, "a.b", "a_b", "a b"];
        let names = of_texts(&texts.map(str::to_owned));
        let identifiers: Vec<&str> = names.iter().map(|name| &*name.identifier).collect();
        let short = &long[..MOST_CHARACTERS];
        assert_eq!(
            identifiers,
            ["cpu0", "cpu_1", "cpu_1_3", "cpu_1_2", "gr__e", "_", short, "a_b_2", "a_b", "a_b_3"]
        );
        for (name, text) in names.iter().zip(texts) {
            let original = (name.identifier != text).then_some(text);
            assert_eq!(name.original.as_deref(), original);
        }
    }
}
