//! A library of standard cells: the file, and the areas that it gives its cells.

use crate::cache::digest;
use crate::cells::Cells;
use crate::find;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Path of the cells of OSU in Debian's package.
const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// The variable that goes before it.
const VARIABLE: &str = "TURNPIKE_OSU018";

/// A liberty file.
#[derive(Clone, PartialEq, Debug)]
pub struct Liberty {
    /// Path of the file.
    pub path: PathBuf,
    /// SHA-256 of its text.
    pub digest: String,
    /// By cell, in square micrometres.
    areas: BTreeMap<String, f64>,
}

/// Reason that there is no liberty file.
#[derive(Debug, thiserror::Error)]
pub enum LibertyError {
    /// No such file.
    #[error(
        "{} is missing; `apt-get install qflow-tech-osu018` installs the standard cells, or \
             name their liberty file by {VARIABLE}", .0.display()
    )]
    Missing(PathBuf),
    /// A file that is something else.
    #[error(
        "{} has no cells with areas; name the liberty file of the osu018 cells by {VARIABLE}, \
             or unset it", .0.display()
    )]
    NoCells(PathBuf),
}

impl Liberty {
    /// The cells of OSU for 0.18 um.
    ///
    /// # Errors
    /// [`LibertyError`] names what installs them.
    pub fn osu018() -> Result<Self, LibertyError> {
        let path = find::variable(VARIABLE).unwrap_or_else(|| OSU018.into());
        let Ok(text) = fs::read_to_string(&path) else { return Err(LibertyError::Missing(path)) };
        let areas = areas(&text);
        match areas.is_empty() {
            true => Err(LibertyError::NoCells(path)),
            false => Ok(Self { digest: digest(text), areas, path }),
        }
    }

    /// Adds up the areas of cells; those of no area count as nothing.
    pub fn weigh(&self, cells: &mut Cells) {
        let area = |(name, count): (&String, &u64)| {
            self.areas.get(name).map_or(0.0, |area| area * *count as f64)
        };
        cells.area = Some(cells.by_type.iter().map(area).sum());
    }
}

/// The area of each cell of a liberty file, finite and at least 0: of `cell (NAME) {`, the first
/// `area : NUMBER;` after it.
pub fn areas(text: &str) -> BTreeMap<String, f64> {
    let mut areas = BTreeMap::new();
    let mut cell: Option<&str> = None;
    for line in text.lines().map(str::trim) {
        let (word, rest) = line.split_at(line.find([' ', ':', '(']).unwrap_or(line.len()));
        let value = rest.trim_matches(|c: char| " :(){;\"".contains(c));
        match word {
            "cell" => cell = Some(value),
            "area" => {
                let area = value.parse().ok().filter(|area| (0.0..=f64::MAX).contains(area));
                if let (Some(name), Some(area)) = (cell.take(), area) {
                    areas.insert(name.to_owned(), area);
                }
            }
            _ => {}
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "library (x) {\n  area_unit : 1;\n  wire_load(\"small\") { area : 9; }\n\
        cell (INVX1) {\n  cell_footprint : \"i\";\n  area : 16;\n  pin(A) { area : 3; }\n}\n\
        cell(NAND2X1) {\n  area : 24.5;\n}\ncell (EMPTY) {\n}\n}\n";

    #[test]
    fn areas_are_those_of_the_cells() {
        let areas = areas(TEXT);
        assert_eq!(areas, [("INVX1".to_owned(), 16.0), ("NAND2X1".to_owned(), 24.5)].into());
        let library = Liberty { path: PathBuf::new(), digest: String::new(), areas };
        let by_type = [("INVX1".to_owned(), 2), ("NAND2X1".to_owned(), 2), ("?".to_owned(), 5)];
        let mut cells = Cells { by_type: by_type.into(), area: None };
        library.weigh(&mut cells);
        assert_eq!(cells.area, Some(81.0));
    }
}
