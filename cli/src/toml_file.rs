//! TOML of a user's file, with its lines.

use anyhow::anyhow;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Text of a TOML file.
#[derive(Clone, Copy)]
pub struct TomlFile<'a> {
    /// Path of the file, for messages.
    pub path: &'a Path,
    /// Text of the file.
    pub text: &'a str,
}

impl<'a> TomlFile<'a> {
    /// The text as a table.
    ///
    /// # Errors
    /// Text that is no TOML, with the line.
    pub fn table(&self) -> anyhow::Result<Spanned<DeTable<'a>>> {
        DeTable::parse(self.text).map_err(|error| {
            let line = error.span().map_or(1, |span| self.line(span.start));
            anyhow!("{}: not TOML: {}", self.place(line), error.message())
        })
    }

    /// Number of the line of an offset into the text, counted from 1.
    pub fn line(&self, offset: usize) -> usize {
        1 + self.text[..offset.min(self.text.len())].matches('\n').count()
    }

    /// Path and line, for messages.
    pub fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

/// A value as it would stand on the command line; `None` for a table, a list or a date.
pub fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        // A number beyond all ranges is refused as it stands in the file.
        DeValue::Integer(n) => Some(match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => n.to_string(),
            Err(_) => n.as_str().to_owned(),
        }),
        DeValue::Float(x) => x.as_str().parse::<f64>().ok().map(|x| x.to_string()),
        DeValue::Boolean(b) => Some(b.to_string()),
        DeValue::Datetime(_) | DeValue::Table(_) | DeValue::Array(_) => None,
    }
}
