//! CSV of any report: its columns are read off its type, so that they are the same whatever the
//! values.
//!
//! A column is a field that holds one number or word, or a list of these with blanks between; names
//! of fields within fields are joined by `_`. A report whose [`Document::ROWS`] is a list has a line
//! for each item, with the fields of the report before the item's own. What else is a list of
//! several fields each, or has keys that are data, is in the JSON alone. A field without a value is
//! an empty cell.

use crate::format::{Format, FormatOption, json};
use crate::table::Table;
use crate::{Report, Verdict};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

/// A report for programs, as JSON, and as CSV where it has a table.
pub trait Document: Serialize + JsonSchema {
    /// The list that has a line for each item in CSV; `None` where the report is one line.
    const ROWS: Option<&'static str> = None;
}

/// A report in the format that is asked for, as text by `text`.
///
/// # Errors
/// None for the reports of this program: their keys are strings.
pub fn write<T: Document>(
    format: Format,
    report: &T,
    text: impl FnOnce() -> String,
) -> anyhow::Result<String> {
    match format {
        Format::Json => json(report),
        Format::Csv => csv(report),
        Format::Text => Ok(text()),
    }
}

impl FormatOption {
    /// A report with its verdict in the format that is asked for, as text by `text`.
    ///
    /// # Errors
    /// As [`write`].
    pub fn report<T: Document>(
        self,
        report: &T,
        verdict: impl Into<Verdict>,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<Report> {
        Ok(Report { text: write(self.format, report, text)?, verdict: verdict.into() })
    }

    /// A report as [`FormatOption::report`], with lines of another type in CSV.
    ///
    /// # Errors
    /// As [`write`].
    pub fn report_with_lines<T: Document, L: Document>(
        self,
        report: &T,
        lines: impl FnOnce() -> L,
        verdict: impl Into<Verdict>,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<Report> {
        match self.format {
            Format::Csv => self.report(&lines(), verdict, text),
            Format::Json | Format::Text => self.report(report, verdict, text),
        }
    }
}

/// An entry of the list of reports: what programs can know of it beforehand.
#[derive(Clone, Copy)]
pub struct ReportKind {
    /// Name of the report.
    pub name: &'static str,
    /// Subject of the report, and the command that gives it.
    pub about: &'static str,
    /// JSON Schema of the report.
    pub schema: fn() -> Schema,
    /// The names of its columns in CSV.
    pub columns: fn() -> Vec<String>,
    /// List that has a line for each item in CSV.
    pub rows: Option<&'static str>,
}

impl ReportKind {
    /// Entry of a report.
    pub const fn of<T: Document>(name: &'static str, about: &'static str) -> Self {
        Self { name, about, schema: schema::<T>, columns: columns::<T>, rows: T::ROWS }
    }

    /// Entry of a report with lines of another type in CSV.
    #[must_use]
    pub const fn with_lines_of<T: Document>(self) -> Self {
        Self { columns: columns::<T>, ..self }
    }

    /// Every field of its JSON, in order.
    pub fn fields(&self) -> Vec<Field> {
        let schema = (self.schema)();
        let root = schema.as_value();
        let mut found = Vec::new();
        describe(root, root, "", &mut found);
        found
    }
}

/// A field of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Field {
    /// Path of the field, with `.` before a field of a field and `[]` behind a list.
    pub field: String,
    /// Type of the field: `null` with the rest where it need not be there.
    pub holds: String,
    /// Meaning of the field.
    pub meaning: String,
}

fn describe(root: &Value, schema: &Value, place: &str, into: &mut Vec<Field>) {
    for (key, field) in properties(root, schema) {
        let place = if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
        let inner = resolved(root, field);
        let meaning = [field, inner].iter().find_map(|s| s.get("description")?.as_str());
        let meaning = meaning.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        into.push(Field { field: place.clone(), holds: holds(root, field), meaning });
        match inner.get("items") {
            Some(items) => describe(root, resolved(root, items), &format!("{place}[]"), into),
            None => describe(root, inner, &place, into),
        }
    }
}

/// The type of a field, in words.
fn holds(root: &Value, field: &Value) -> String {
    let inner = resolved(root, field);
    let words = |value: &Value| match value {
        Value::Array(several) => several.iter().map(word).collect(),
        one => vec![word(one)],
    };
    let consts = |of: &Value| of.get("const").map(word);
    let options = ["enum", "oneOf"].iter().find_map(|key| inner.get(key)?.as_array());
    let mut all: Vec<String> = match options {
        Some(options) => options
            .iter()
            .flat_map(|option| match option.get("enum") {
                Some(several) => words(several),
                None => vec![consts(option).unwrap_or_else(|| word(option))],
            })
            .map(|option| format!("`{option}`"))
            .collect(),
        None => words(&inner["type"]),
    };
    if let Some(items) = inner.get("items") {
        let of = holds(root, items);
        all = all
            .iter()
            .map(|t| if t == "array" { format!("list of {of}") } else { t.clone() })
            .collect();
    }
    let optional =
        |of: &Value| of["anyOf"].as_array().is_some_and(|o| o.iter().any(|o| o["type"] == "null"));
    if optional(field) {
        all.push("null".to_owned());
    }
    all.join(", ")
}

/// The JSON Schema of a report.
pub fn schema<T: Document>() -> Schema {
    // What is written, not what could be read: fields with a default are there.
    schemars::generate::SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
}

/// The names of the columns.
pub fn columns<T: Document>() -> Vec<String> {
    paths::<T>().iter().map(|path| path.name()).collect()
}

/// The CSV of a report.
///
/// # Errors
/// None: its keys are strings.
pub fn csv<T: Document>(report: &T) -> anyhow::Result<String> {
    let value = serde_json::to_value(report)?;
    let paths = paths::<T>();
    let mut table = Table::new(paths.iter().map(Path::name));
    let one = [Value::Null];
    let items = match T::ROWS {
        Some(rows) => value[rows].as_array().map_or(&[][..], Vec::as_slice),
        None => &one,
    };
    for item in items {
        let cell = |path: &Path| path.cell(if path.of_item { item } else { &value });
        table.push(paths.iter().map(cell).collect());
    }
    Ok(table.csv())
}

/// Path of a column's value.
struct Path {
    keys: Vec<String>,
    /// Whether it begins at an item of the rows.
    of_item: bool,
}

impl Path {
    fn name(&self) -> String {
        self.keys.join("_")
    }

    fn cell(&self, from: &Value) -> String {
        let value = self.keys.iter().try_fold(from, |value, key| value.get(key));
        match value {
            None => String::new(),
            Some(Value::Array(items)) => items.iter().map(word).collect::<Vec<_>>().join(" "),
            Some(value) => word(value),
        }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn paths<T: Document>() -> Vec<Path> {
    let schema = schema::<T>();
    let root = schema.as_value();
    let mut paths = Vec::new();
    for (key, field) in properties(root, root) {
        match T::ROWS == Some(key) {
            false => leaves(root, field, &[key], false, &mut paths),
            true => {
                let item = resolved(root, &resolved(root, field)["items"]);
                for (key, field) in properties(root, item) {
                    leaves(root, field, &[key], true, &mut paths);
                }
            }
        }
    }
    paths
}

fn leaves(root: &Value, field: &Value, keys: &[&str], of_item: bool, into: &mut Vec<Path>) {
    let field = resolved(root, field);
    let inner = properties(root, field);
    if !inner.is_empty() {
        for (key, field) in inner {
            leaves(root, field, &[keys, &[key]].concat(), of_item, into);
        }
        return;
    }
    let is_map = field.get("additionalProperties").is_some();
    let items = field.get("items").map(|items| resolved(root, items));
    let of_fields = |items: &Value| {
        items.get("properties").is_some() || items["type"] == "array" || items["type"] == "object"
    };
    if !is_map && !items.is_some_and(of_fields) {
        into.push(Path { keys: keys.iter().map(|&key| key.to_owned()).collect(), of_item });
    }
}

/// The fields of an object, in order.
fn properties<'a>(root: &'a Value, schema: &'a Value) -> Vec<(&'a str, &'a Value)> {
    let schema = resolved(root, schema);
    let fields = schema.get("properties").and_then(Value::as_object);
    fields.into_iter().flatten().map(|(key, field)| (key.as_str(), field)).collect()
}

/// Schema that a reference leads to, or that an optional value has where it is there.
fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.trim_start_matches("#/$defs/");
        return resolved(root, &root["$defs"][name]);
    }
    let options = schema.get("anyOf").and_then(Value::as_array);
    match options.and_then(|options| options.iter().find(|option| option["type"] != "null")) {
        Some(option) => resolved(root, option),
        None => schema,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize, JsonSchema)]
    struct Inner {
        low: Option<f64>,
        word: Word,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        /// Documented, so that its schema is another.
        AsSaid,
    }

    #[derive(Serialize, JsonSchema)]
    struct Item {
        name: &'static str,
        at: Option<Inner>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Example {
        version: u32,
        labels: Vec<String>,
        by_name: BTreeMap<String, u32>,
        inner: Option<Inner>,
        items: Vec<Item>,
        others: Vec<Item>,
    }

    impl Document for Example {
        const ROWS: Option<&'static str> = Some("items");
    }

    #[test]
    fn columns_are_those_of_the_type() {
        let named = |name, at| Item { name, at };
        let inner = || Inner { low: Some(0.5), word: Word::AsSaid };
        let mut example = Example {
            version: 1,
            labels: vec!["a".to_owned(), "b".to_owned()],
            by_name: BTreeMap::new(),
            inner: None,
            items: vec![named("x", Some(inner())), named("y", None)],
            others: Vec::new(),
        };
        let header = "version,labels,inner_low,inner_word,name,at_low,at_word\n";
        assert_eq!(columns::<Example>().join(",") + "\n", header);
        let rows = "1,a b,,,x,0.5,as-said\n1,a b,,,y,,\n";
        assert_eq!(csv(&example).unwrap(), header.to_owned() + rows);
        example.items.clear();
        assert_eq!(csv(&example).unwrap(), header);
    }
}
