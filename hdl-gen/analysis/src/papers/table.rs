//! A table as a report has it.

use schemars::JsonSchema;
use serde::Serialize;

/// A table: columns of figures, some beside the memo's.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Table {
    /// The memo's number, such as `5-1`, or its section.
    pub id: &'static str,
    /// Title of the table.
    pub title: &'static str,
    /// Note on the figures, on how they are computed, and over what.
    pub note: &'static str,
    /// Number of columns, from the first, that name the row.
    pub keys: usize,
    /// The headings.
    pub columns: Vec<&'static str>,
    /// The rows: a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A figure, and the memo's where it prints one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cell {
    /// Computed figure, to as many decimals as the memo prints.
    pub ours: String,
    /// Figure that the memo prints.
    pub memo: Option<String>,
    /// Whether the memo prints another figure.
    pub differs: bool,
}

impl Cell {
    /// A figure that the memo does not print.
    pub fn plain(ours: impl ToString) -> Self {
        Self { ours: ours.to_string(), memo: None, differs: false }
    }

    /// A figure beside the memo's. `.5` and `0.5` are the same.
    pub fn against(ours: impl ToString, memo: impl ToString) -> Self {
        let (ours, memo) = (ours.to_string(), memo.to_string());
        let differs = ours.trim_start_matches('0') != memo.trim_start_matches('0');
        Self { ours, memo: Some(memo), differs }
    }
}
