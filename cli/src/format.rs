//! `--format text|json|csv`.

use clap::{Args, ValueEnum};
use serde::Serialize;

/// Format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// CSV for spreadsheets: a line of names, then a line per item.
    Csv,
}

/// The option itself.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct FormatOption {
    /// Format of the report: text, json or csv
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub format: Format,
}

/// `value` as indented JSON with a final line break.
///
/// # Errors
/// None for the reports of this program: their keys are strings.
pub fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// A number for people: up to four decimals, no trailing zeros.
pub fn number(x: f64) -> String {
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A load for people: as [`number`], or where that would leave less than four digits of it, four.
pub fn load(x: f64) -> String {
    let text = match x.abs() {
        small if small > 0.0 && small < 0.1 => {
            format!("{x:.*}", (3.0 - small.log10().floor()) as usize)
        }
        _ => return number(x),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1 word`, `2 words`.
pub fn counted(count: impl Into<u64>, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

/// `1 switch`, `2 switches`: a number of something, whose name for several is not formed by an s.
pub fn counted_as(count: impl Into<u64>, one: &str, several: &str) -> String {
    match count.into() {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

/// Every line of `text` two blanks to the right.
pub fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// `text` in lines of at most `width` columns where its blanks allow, all but the first
/// indented by four.
pub fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("    {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_loads_are_no_zeros() {
        let shown = [0.0, 1e-9, 0.000_012_345, 0.035_625, 0.1, 0.356_836, 1.0].map(load);
        assert_eq!(shown, ["0", "0.000000001", "0.00001234", "0.03562", "0.1", "0.3568", "1"]);
    }
}
