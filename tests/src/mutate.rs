//! Mutants: copies of a folder of Verilog with one fault put in by hand.
//!
//! A mutant whose text is not found would be "caught" by nothing and "survive"
//! nothing: [`Mutant::apply`] refuses it and says what it looked for.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;
use tempfile::TempDir;

/// Text that a mutant replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// Literal text, line ends included.
    Text(&'static str),
    /// A regular expression; the replacement may name its groups as `${1}`.
    Regex(&'static str),
}

/// Place to change, where there are several, counted through the files by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// The only one: several are an error.
    Only,
    /// The n-th, from 1.
    Nth(usize),
    /// Every one, at least one.
    Every,
}

/// One fault to put into emitted Verilog.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// Description of the fault, in a few words: `arbiter stuck on input 0`.
    pub name: &'static str,
    /// The file's path inside the folder; `*` stands for any text.
    pub file: &'static str,
    /// Text that is replaced.
    pub find: Find,
    /// Replacement.
    pub replace: &'static str,
    /// Place to change.
    pub occurrence: Occurrence,
}

/// A place in a file that will be replaced.
struct Place {
    file: usize,
    start: usize,
    end: usize,
    replacement: String,
}

/// Makes each mutant of a folder: the text that it changes is there.
///
/// # Panics
/// As [`Mutant::apply`] fails, with the mutant's name.
pub fn all_can_be_made<'a>(folder: &Path, mutants: impl IntoIterator<Item = &'a Mutant>) {
    for mutant in mutants {
        mutant.apply(folder).unwrap_or_else(|error| panic!("{error}"));
    }
}

impl Mutant {
    /// Copies `folder` and puts the fault into the copy.
    ///
    /// # Errors
    /// Where no file fits, the text is not found as often as needed, or the
    /// replacement changes nothing; with the mutant's name.
    pub fn apply(&self, folder: &Path) -> Result<TempDir, String> {
        self.try_apply(folder).map_err(|why| format!("mutant `{}`: {why}", self.name))
    }

    fn try_apply(&self, folder: &Path) -> Result<TempDir, String> {
        let mut files = Vec::new();
        list(folder, folder, &mut files).map_err(|error| error.to_string())?;
        files.sort();
        let fitting: Vec<&PathBuf> =
            files.iter().filter(|file| fits(self.file, &file.to_string_lossy())).collect();
        if fitting.is_empty() {
            return Err(format!("no file fits `{}`", self.file));
        }
        let read = |file: &&PathBuf| fs::read_to_string(folder.join(file));
        let texts: Vec<String> =
            fitting.iter().map(read).collect::<io::Result<_>>().map_err(|e| e.to_string())?;
        let places = self.chosen(self.places(&texts)?)?;

        let copy = tempfile::tempdir().map_err(|error| error.to_string())?;
        duplicate(folder, copy.path(), &files).map_err(|error| error.to_string())?;
        let mut changed = texts.clone();
        // From the back, so that earlier places keep their offsets.
        for place in places.iter().rev() {
            changed[place.file].replace_range(place.start..place.end, &place.replacement);
        }
        if changed == texts {
            return Err("the replacement changes nothing".to_owned());
        }
        for (file, text) in fitting.iter().zip(&changed) {
            fs::write(copy.path().join(file), text).map_err(|error| error.to_string())?;
        }
        Ok(copy)
    }

    /// Every place where the text stands.
    fn places(&self, texts: &[String]) -> Result<Vec<Place>, String> {
        let mut places = Vec::new();
        for (file, text) in texts.iter().enumerate() {
            match self.find {
                Find::Text(wanted) => {
                    places.extend(text.match_indices(wanted).map(|(start, found)| Place {
                        file,
                        start,
                        end: start + found.len(),
                        replacement: self.replace.to_owned(),
                    }));
                }
                Find::Regex(pattern) => {
                    let regex = Regex::new(pattern).map_err(|error| error.to_string())?;
                    for captures in regex.captures_iter(text) {
                        let whole = captures.get(0).expect("group 0 is the whole match");
                        let mut replacement = String::new();
                        captures.expand(self.replace, &mut replacement);
                        let (start, end) = (whole.start(), whole.end());
                        places.push(Place { file, start, end, replacement });
                    }
                }
            }
        }
        Ok(places)
    }

    fn chosen(&self, mut places: Vec<Place>) -> Result<Vec<Place>, String> {
        let found = places.len();
        let (file, find) = (self.file, self.find);
        match self.occurrence {
            Occurrence::Only if found == 1 => Ok(places),
            Occurrence::Every if found >= 1 => Ok(places),
            Occurrence::Nth(n) if (1..=found).contains(&n) => Ok(vec![places.swap_remove(n - 1)]),
            wanted => Err(format!("{find:?} stands {found} times in `{file}`, not {wanted:?}")),
        }
    }
}

/// Whether a path fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((head, rest)) => path.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices().any(|(i, _)| fits(rest, &tail[i..])) || fits(rest, "")
        }),
    }
}

/// Every file below `folder`, relative to `root`.
fn list(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, files)?;
        } else {
            files.push(path.strip_prefix(root).expect("it is below the root").to_owned());
        }
    }
    Ok(())
}

fn duplicate(from: &Path, to: &Path, files: &[PathBuf]) -> io::Result<()> {
    for file in files {
        let target = to.join(file);
        fs::create_dir_all(target.parent().expect("a file has a folder"))?;
        fs::copy(from.join(file), target)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("rtl")).unwrap();
        fs::write(folder.path().join("rtl/a.v"), "x <= y;\nz <= y;\n").unwrap();
        fs::write(folder.path().join("rtl/b.v"), "x <= y;\nready = 1'b1;\n").unwrap();
        fs::write(folder.path().join("top.f"), "rtl/a.v\nrtl/b.v\n").unwrap();
        folder
    }

    fn mutant(file: &'static str, find: Find, replace: &'static str, n: Occurrence) -> Mutant {
        Mutant { name: "test", file, find, replace, occurrence: n }
    }

    fn apply(mutant: Mutant) -> Result<[String; 3], String> {
        let original = folder();
        let copy = mutant.apply(original.path())?;
        let read = |name: &str| fs::read_to_string(copy.path().join(name)).unwrap();
        assert_eq!(
            fs::read_to_string(original.path().join("rtl/a.v")).unwrap(),
            "x <= y;\nz <= y;\n"
        );
        Ok([read("rtl/a.v"), read("rtl/b.v"), read("top.f")])
    }

    #[test]
    fn the_only_place_is_changed_and_the_rest_is_copied() {
        let ready = mutant("rtl/*.v", Find::Text("1'b1"), "1'b0", Occurrence::Only);
        let [a, b, list] = apply(ready).unwrap();
        assert_eq!(a, "x <= y;\nz <= y;\n");
        assert_eq!(b, "x <= y;\nready = 1'b0;\n");
        assert_eq!(list, "rtl/a.v\nrtl/b.v\n");
    }

    #[test]
    fn places_are_counted_through_the_files() {
        let third = mutant("*.v", Find::Text("<= y"), "<= !y", Occurrence::Nth(3));
        let [a, b, _] = apply(third).unwrap();
        assert_eq!((&*a, &*b), ("x <= y;\nz <= y;\n", "x <= !y;\nready = 1'b1;\n"));
        let every = mutant("*.v", Find::Text("<= y"), "<= !y", Occurrence::Every);
        let [a, b, _] = apply(every).unwrap();
        assert_eq!((&*a, &*b), ("x <= !y;\nz <= !y;\n", "x <= !y;\nready = 1'b1;\n"));
    }

    #[test]
    fn a_regular_expression_may_keep_groups() {
        let regex = Find::Regex(r"(?m)^(\w+) <= y;$");
        let [a, ..] = apply(mutant("rtl/a.v", regex, "${1} <= ${1};", Occurrence::Nth(2))).unwrap();
        assert_eq!(a, "x <= y;\nz <= z;\n");
    }

    #[test]
    fn what_is_not_there_is_refused_by_name() {
        let cases = [
            (mutant("rtl/c.v", Find::Text("x"), "y", Occurrence::Only), "no file fits"),
            (mutant("rtl/*", Find::Text("w"), "y", Occurrence::Every), "stands 0 times"),
            (mutant("rtl/*", Find::Text("<= y"), "", Occurrence::Only), "stands 3 times"),
            (mutant("rtl/*", Find::Text("<= y"), "", Occurrence::Nth(4)), "stands 3 times"),
            (mutant("rtl/*", Find::Text("<= y"), "", Occurrence::Nth(0)), "stands 3 times"),
            (mutant("rtl/*", Find::Text("1'b1"), "1'b1", Occurrence::Only), "changes nothing"),
            (mutant("rtl/*", Find::Regex("("), "", Occurrence::Only), "unclosed group"),
        ];
        for (mutant, message) in cases {
            let error = apply(mutant).unwrap_err();
            assert!(error.starts_with("mutant `test`: ") && error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, path, wanted) in [
            ("a.v", "a.v", true),
            ("a.v", "ba.v", false),
            ("*.v", "rtl/a.v", true),
            ("*.v", "a.vh", false),
            ("rtl/*_fifo.v", "rtl/dim2_fifo.v", true),
            ("*a*b", "xaxbb", true),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, path), wanted, "{pattern} {path}");
        }
    }
}
