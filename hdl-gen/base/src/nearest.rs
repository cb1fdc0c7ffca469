//! The known name that somebody may have meant.

use std::fmt;

/// Least similarity of two names for one to be suggested for the other.
const ALIKE: f64 = 0.8;

/// Similarity of two names, 0 to 1: Jaro-Winkler, which counts a common beginning most. Short names
/// have little to compare, so one letter wrong, left out or changed for its neighbour counts as
/// similar.
fn alike(name: &str, known: &str) -> f64 {
    let one_slip = name.len() > 2 && strsim::osa_distance(name, known) == 1;
    strsim::jaro_winkler(name, known).max(if one_slip { ALIKE } else { 0.0 })
}

/// The known name that is most like a wrong one; none where none is near. Printed it is
/// `; did you mean '...'?`, or nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearest(Option<String>);

impl Nearest {
    /// The first among those of the `known` names that are most similar to `name`.
    pub fn of<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let alike = known.into_iter().map(|known| (alike(name, known), known));
        let near = alike.filter(|(alike, _)| *alike >= ALIKE);
        let best = near.reduce(|best, other| if other.0 > best.0 { other } else { best });
        Self(best.map(|(_, known)| known.to_owned()))
    }

    /// Whether none is near.
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The suggestion with `prefix` put before it; a common prefix makes no name more similar.
    #[must_use]
    pub fn after(self, prefix: &str) -> Self {
        Self(self.0.map(|name| format!("{prefix}{name}")))
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(name) => write!(f, "; did you mean '{name}'?"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_suggested() {
        let relations = ["ecube", "rotation", "thacker", "random-static"];
        let topologies = ["hypercube", "clever-ccc", "mesh", "torus", "fat-tree"];
        let commands = ["generate", "analyze", "list", "verify"];
        for (name, known, nearest) in [
            ("rotaton", &relations[..], "; did you mean 'rotation'?"),
            ("e-cube", &relations, "; did you mean 'ecube'?"),
            ("hyper", &topologies, "; did you mean 'hypercube'?"),
            ("fattree", &topologies, "; did you mean 'fat-tree'?"),
            ("anlyze", &commands, "; did you mean 'analyze'?"),
            ("tesseract", &topologies, ""),
            ("frobnicate", &commands, ""),
            ("help", &commands, ""),
            ("x", &[], ""),
        ] {
            assert_eq!(Nearest::of(name, known.iter().copied()).to_string(), nearest, "{name}");
        }
        let nearest = Nearest::of("dmi", ["dim"]).after("--").to_string();
        assert_eq!(nearest, "; did you mean '--dim'?");
    }
}
