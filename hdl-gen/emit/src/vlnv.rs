//! The name of the FuseSoC core: vendor, library, name and version.

use crate::VERSION;

/// Vendor, library and version in the name of a fabric's core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vlnv {
    pub(crate) vendor: String,
    pub(crate) library: String,
    pub(crate) version: String,
}

/// A part of such a name that FuseSoC does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VlnvError {
    /// The vendor or the library.
    #[error(
        "'{given}' is no {part} of a core: use a letter, then letters, digits, '_', '-' and '.', at \
         most {MOST} in all"
    )]
    Word {
        /// Part of the name: vendor, library or version.
        part: &'static str,
        /// Text that was given.
        given: String,
    },
    /// The version.
    #[error(
        "'{0}' is no version of a core: use numbers with dots between them, such as 1.2.0, or with a \
         revision behind them, 1.2.0-r1; at most {MOST} characters in all"
    )]
    Version(String),
}

/// Most characters of a part.
const MOST: usize = 64;

impl Default for Vlnv {
    fn default() -> Self {
        let [vendor, library, version] = ["turnpike", "fabric", VERSION].map(str::to_owned);
        Self { vendor, library, version }
    }
}

impl Vlnv {
    /// The parts that are given; Turnpike's own for the others: `turnpike`, `fabric`, and the version
    /// of Turnpike.
    ///
    /// # Errors
    /// [`VlnvError`]: the first part that FuseSoC does not take.
    pub fn new(
        vendor: Option<&str>,
        library: Option<&str>,
        version: Option<&str>,
    ) -> Result<Self, VlnvError> {
        let own = Self::default();
        let word = |part, given: Option<&str>, own| match given {
            None => Ok(own),
            Some(given) if is_word(given) => Ok(given.to_owned()),
            Some(given) => Err(VlnvError::Word { part, given: given.to_owned() }),
        };
        Ok(Self {
            vendor: word("vendor", vendor, own.vendor)?,
            library: word("library", library, own.library)?,
            version: match version {
                None => own.version,
                Some(given) if is_version(given) => given.to_owned(),
                Some(given) => return Err(VlnvError::Version(given.to_owned())),
            },
        })
    }

    /// The whole name of the core of a fabric.
    pub fn of(&self, fabric: &str) -> String {
        let Self { vendor, library, version } = self;
        format!("{vendor}:{library}:{fabric}:{version}")
    }
}

/// Whether a text can stand in the name of a core. Where the name begins with a digit, FuseSoC 2.4
/// never ends its search for it.
fn is_word(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    begins && text.len() <= MOST && text.chars().all(is_part)
}

fn is_version(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (numbers, revision) = match text.split_once("-r") {
        Some((numbers, revision)) => (numbers, Some(revision)),
        None => (text, None),
    };
    text.len() <= MOST && numbers.split('.').all(is_number) && revision.is_none_or(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_given_or_turnpikes_own() {
        let own = Vlnv::default().of("mesh");
        assert_eq!(own, format!("turnpike:fabric:mesh:{VERSION}"));
        let other = Vlnv::new(Some("acme.org"), Some("noc-1"), Some("1.2.0-r1")).unwrap();
        assert_eq!(other.of("mesh"), "acme.org:noc-1:mesh:1.2.0-r1");
        assert_eq!(Vlnv::new(None, None, None), Ok(Vlnv::default()));
    }

    #[test]
    fn what_fusesoc_does_not_take_is_refused() {
        let long = "a".repeat(MOST + 1);
        for bad in ["", "9a", "a:b", "a b", "-a", ".a", "a/b", "é", "a\n", &long] {
            let vendor = Vlnv::new(Some(bad), None, None).unwrap_err();
            assert!(vendor.to_string().contains("is no vendor of a core"), "{vendor}");
            assert!(Vlnv::new(None, Some(bad), None).is_err(), "{bad}");
        }
        for bad in ["", "1.", "v1", "1..2", "1.0-", "1.0-r", "1.0-rc1", "1:0", "1.0 "] {
            let error = Vlnv::new(None, None, Some(bad)).unwrap_err();
            assert!(error.to_string().contains("such as 1.2.0"), "{error}");
        }
    }
}
