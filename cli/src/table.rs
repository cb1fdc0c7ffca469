//! Tables of text: aligned for people, comma-separated for programs.

/// A table; every row has as many cells as the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { header: header.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has more or fewer cells than the header.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.header.len(), "a row has a cell per column");
        self.rows.push(row);
    }

    /// Aligned columns, numbers to the right, two blanks between.
    pub fn text(&self) -> String {
        let column = |c: usize| self.rows.iter().map(move |row| &row[c]);
        let widths: Vec<usize> = (0..self.header.len())
            .map(|c| column(c).chain([&self.header[c]]).map(|s| s.chars().count()).max())
            .map(|width| width.unwrap_or(0))
            .collect();
        let numeric: Vec<bool> = (0..self.header.len())
            .map(|c| !self.rows.is_empty() && column(c).all(|s| s.parse::<f64>().is_ok()))
            .collect();
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let cells = row.iter().zip(&widths).zip(&numeric).map(|((cell, &width), &right)| {
                if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        text
    }

    /// RFC 4180, with plain line feeds.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            text += &row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",");
            text.push('\n');
        }
        text
    }
}

fn quoted(cell: &str) -> String {
    match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_aligned_and_csv_is_quoted() {
        let mut table = Table::new(["k", "name"]);
        table.push(vec!["2".into(), "a, b".into()]);
        table.push(vec!["10".into(), "say \"x\"".into()]);
        assert_eq!(table.text(), " k  name\n 2  a, b\n10  say \"x\"\n");
        assert_eq!(table.csv(), "k,name\n2,\"a, b\"\n10,\"say \"\"x\"\"\"\n");
    }
}
