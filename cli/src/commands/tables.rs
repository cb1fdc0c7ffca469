//! `turnpike tables`: the tables of a paper, computed, beside those that it prints.

mod plot;

use crate::Report;
use crate::destination::{Destination, ForceOption};
use crate::format::{Format, FormatOption, json, wrap};
use crate::table::Table as Layout;
use crate::tabular::{self, Document, ReportKind};
use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use turnpike_analysis::papers::table::Table;
use turnpike_analysis::papers::{butterflies, heller};

/// Options of `tables`.
#[derive(Args, Debug)]
pub struct TablesOptions {
    /// Paper of the tables: heller (Directed Cube Networks, CSG Memo 253, 1985), or butterflies
    /// (the transpose on butterflies of up to 65,536 rows, of Lecture 5: A couple of networks)
    #[arg(value_enum, hide_possible_values = true)]
    pub paper: Paper,
    /// Draw the table of butterflies
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Whether a file that is there is overwritten.
    #[command(flatten)]
    pub force: ForceOption,
    /// Format of the report.
    #[command(flatten)]
    pub format: FormatOption,
}

/// The papers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Paper {
    /// Heller, Directed Cube Networks.
    Heller,
    /// The theorem of a lecture on the transpose.
    Butterflies,
}

/// Runs it. That a paper's figure differs is what it reports, not a failure.
///
/// # Errors
/// A picture of a paper that has none, or that cannot be written.
pub fn run(options: &TablesOptions) -> anyhow::Result<Report> {
    let to = |path| Destination::new(path, "butterflies.svg", options.force);
    let (source, tables) = match options.paper {
        Paper::Heller => (heller::SOURCE, heller::tables()),
        Paper::Butterflies => {
            let svg = options.svg.as_deref().map(to).transpose()?;
            let congestion = butterflies::congestion();
            if let Some(svg) = svg {
                svg.write(&plot::svg(&congestion)?)?;
            }
            (butterflies::SOURCE, vec![butterflies::table(&congestion)])
        }
    };
    let text = match options.format.format {
        Format::Json => json(&TablesReport { schema_version: 1, source, tables })?,
        Format::Csv => csv(&tables)?,
        Format::Text => text(source, &tables),
    };
    Ok(Report::holds(text))
}

/// The tables of a paper.
#[derive(Serialize, JsonSchema)]
struct TablesReport {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The paper.
    source: &'static str,
    /// Tables of the paper.
    tables: Vec<Table>,
}

impl Document for TablesReport {}

/// Report of `tables` as lines: a figure each.
#[derive(Serialize, JsonSchema)]
struct FiguresTable<'a> {
    /// Version of these fields: 1.
    schema_version: u32,
    /// The figures.
    rows: Vec<FigureRow<'a>>,
}

impl Document for FiguresTable<'_> {
    const ROWS: Option<&'static str> = Some("rows");
}

/// Entry in the list of reports.
pub const REPORT: ReportKind =
    ReportKind::of::<TablesReport>("tables", "the tables of a paper (`tables`)")
        .with_lines_of::<FiguresTable<'_>>();

/// A figure of a table.
#[derive(Serialize, JsonSchema)]
struct FigureRow<'a> {
    /// The table, by the paper's number.
    table: &'static str,
    /// Name of the row: columns with their values.
    row: String,
    /// The column.
    column: &'static str,
    /// Figure that is computed.
    ours: &'a str,
    /// Figure that the paper prints.
    memo: Option<&'a str>,
    /// Whether that is another figure.
    differs: bool,
}

fn csv(tables: &[Table]) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for table in tables {
        for row in &table.rows {
            let keys = row.iter().zip(&table.columns).take(table.keys);
            let name: Vec<_> = keys.map(|(key, column)| format!("{column}={}", key.ours)).collect();
            for (cell, column) in row.iter().zip(&table.columns).skip(table.keys) {
                rows.push(FigureRow {
                    table: table.id,
                    row: name.join(" "),
                    column,
                    ours: &cell.ours,
                    memo: cell.memo.as_deref(),
                    differs: cell.differs,
                });
            }
        }
    }
    tabular::csv(&FiguresTable { schema_version: 1, rows })
}

fn text(source: &str, tables: &[Table]) -> String {
    let figures = || tables.iter().flat_map(|t| t.rows.iter().flatten());
    let printed = figures().filter(|cell| cell.memo.is_some()).count();
    let mut text = format!("{source}\n");
    if printed > 0 {
        text += "In brackets the memo's figures; those with * differ from what is computed, and\n\
                 docs/errata.md explains why.\n";
    }
    for table in tables {
        text += &format!("\nTable {}: {}\n{}", table.id, table.title, wrap(table.note, 96));
        text += &rows(table);
    }
    if printed > 0 {
        let differ = figures().filter(|cell| cell.differs).count();
        text += &format!("\n{differ} of {printed} figures differ from the memo's.\n");
    }
    text
}

fn rows(table: &Table) -> String {
    // A column of the memo's figures behind each column that has some.
    let printed: Vec<bool> = (0..table.columns.len())
        .map(|c| table.rows.iter().any(|row| row[c].memo.is_some()))
        .collect();
    let header = table.columns.iter().zip(&printed).flat_map(|(column, &printed)| {
        std::iter::once((*column).to_owned()).chain(printed.then(|| "(memo)".to_owned()))
    });
    let mut layout = Layout::new(header);
    for row in &table.rows {
        let cells = row.iter().zip(&printed).flat_map(|(cell, &printed)| {
            let mark = if cell.differs { " *" } else { "" };
            let memo = cell.memo.as_ref().map(|memo| format!("({memo}){mark}"));
            std::iter::once(cell.ours.clone()).chain(printed.then(|| memo.unwrap_or_default()))
        });
        layout.push(cells.collect());
    }
    layout.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpike_analysis::papers::table::Cell;

    /// A figure like the memo's, one unlike it, one that the memo does not have.
    #[test]
    fn a_table_is_laid_out_with_the_figures_of_the_memo() {
        let table = Table {
            id: "1",
            title: "Squares",
            note: "By multiplication.",
            keys: 1,
            columns: vec!["n", "n^2", "n^3"],
            rows: vec![
                vec![Cell::plain(2), Cell::against(4, 4), Cell::plain(8)],
                vec![Cell::plain(10), Cell::against(100, 99), Cell::plain(1000)],
            ],
        };
        let wanted = "\
Somebody, 1985
In brackets the memo's figures; those with * differ from what is computed, and
docs/errata.md explains why.

Table 1: Squares
By multiplication.
 n  n^2  (memo)   n^3
 2    4  (4)        8
10  100  (99) *  1000

1 of 2 figures differ from the memo's.
";
        assert_eq!(text("Somebody, 1985", std::slice::from_ref(&table)), wanted);
        let wanted = "\
schema_version,table,row,column,ours,memo,differs
1,1,n=2,n^2,4,4,false
1,1,n=2,n^3,8,,false
1,1,n=10,n^2,100,99,true
1,1,n=10,n^3,1000,,false
";
        assert_eq!(csv(&[table]).unwrap(), wanted);
    }
}
