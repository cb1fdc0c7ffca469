//! A table of a system file, with the lines of its keys.

use super::keys::{Holds, Key};
use crate::toml_file::{TomlFile, scalar};
use anyhow::bail;
use toml::de::{DeTable, DeValue};
use turnpike_base::nearest::Nearest;

/// A table.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    /// The file.
    pub file: TomlFile<'a>,
    /// Keys and values.
    pub table: &'a DeTable<'a>,
    /// Line of its first key, counted from 1; that of its name where it has none.
    pub line: usize,
}

impl<'a> Section<'a> {
    fn of(&self, table: &'a DeTable<'a>, otherwise: usize) -> Self {
        let first = table.iter().map(|(key, _)| self.file.line(key.span().start)).min();
        Self { table, line: first.unwrap_or(otherwise), ..*self }
    }

    /// Table of a key.
    pub fn table(&self, name: &str) -> Option<Self> {
        let (key, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(self.of(table, self.file.line(key.span().start))),
            _ => None,
        }
    }

    /// Tables of a key, in their order.
    pub fn tables(&self, name: &str) -> impl Iterator<Item = Self> + use<'a> {
        let this = *self;
        let list = match self.table.get(name).map(|value| value.get_ref()) {
            Some(DeValue::Array(list)) => &list[..],
            _ => &[],
        };
        list.iter().filter_map(move |item| match item.get_ref() {
            DeValue::Table(table) => Some(this.of(table, this.file.line(item.span().start))),
            _ => None,
        })
    }

    /// Line and value of a key that holds one.
    pub fn value(&self, name: &str) -> Option<(usize, String)> {
        let (key, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        Some((self.file.line(key.span().start), scalar(value.get_ref())?))
    }

    /// Line of the first character of a text.
    pub fn text_line(&self, name: &str) -> Option<usize> {
        let start = self.table.get(name)?.span().start;
        let quotes = &self.file.text[start..];
        // A line end behind the quotes of a text of several lines is not of the text.
        let begins = ["\"\"\"\n", "'''\n", "\"\"\"\r\n", "'''\r\n"].iter();
        let skipped = begins.clone().any(|begin| quotes.starts_with(begin));
        Some(self.file.line(start) + usize::from(skipped))
    }

    /// Text of a key; empty where it is not there.
    pub fn text_of(&self, name: &str) -> String {
        self.value(name).map(|(_, text)| text).unwrap_or_default()
    }

    /// Texts of a key that holds one or a list.
    pub fn texts(&self, name: &str) -> Vec<String> {
        match self.table.get(name).map(|value| value.get_ref()) {
            Some(DeValue::Array(list)) => {
                list.iter().filter_map(|item| scalar(item.get_ref())).collect()
            }
            Some(value) => scalar(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Keys and values that are one word or number each, in the order of the file.
    pub fn values(&self) -> impl Iterator<Item = (String, String)> + use<'a> {
        let mut all: Vec<_> = self.table.iter().collect();
        all.sort_by_key(|(key, _)| key.span().start);
        all.into_iter()
            .filter_map(|(key, value)| Some((key.get_ref().to_string(), scalar(value.get_ref())?)))
    }

    /// Checks names and types of the keys, and of those of the tables in them.
    ///
    /// # Errors
    /// The first key that is at fault, with its line and what would be right.
    pub fn check(&self, keys: &[Key]) -> anyhow::Result<()> {
        self.check_with(keys, false)
    }

    fn check_with(&self, keys: &[Key], options: bool) -> anyhow::Result<()> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let at = self.file.line(key.span().start);
            let name: &str = key.get_ref();
            let Some(known) = keys.iter().find(|known| known.name == name) else {
                // Options are looked at with the command.
                if options {
                    continue;
                }
                let names: Vec<&str> = keys.iter().map(|known| known.name).collect();
                let nearest = Nearest::of(name, names.iter().copied());
                bail!(
                    "{}: unknown key '{name}'{nearest} (there are: {})",
                    self.file.place(at),
                    names.join(", ")
                );
            };
            self.check_value(known, value.get_ref(), at)?;
        }
        if let Some(missing) =
            keys.iter().find(|key| key.is_required && !self.table.contains_key(key.name))
        {
            let example = match missing.holds {
                Holds::Table(..) => format!("[{}]", missing.name),
                Holds::Whole => format!("{} = 1", missing.name),
                _ => format!("{} = \"...\"", missing.name),
            };
            bail!("{}: '{}' is missing; add {example}", self.file.place(self.line), missing.name);
        }
        Ok(())
    }

    fn check_value(&self, key: &Key, value: &'a DeValue<'a>, at: usize) -> anyhow::Result<()> {
        let is_text = |value: &DeValue<'_>| matches!(value, DeValue::String(_));
        let wanted = match (key.holds, value) {
            (Holds::Text, DeValue::String(_))
            | (Holds::Whole, DeValue::Integer(_))
            | (Holds::Decimal, DeValue::Integer(_) | DeValue::Float(_))
            | (Holds::Texts, DeValue::String(_)) => return Ok(()),
            (Holds::Texts, DeValue::Array(list))
                if list.iter().all(|item| is_text(item.get_ref())) =>
            {
                return Ok(());
            }
            (Holds::Table(keys, options), DeValue::Table(table)) => {
                return self.of(table, at).check_with(keys, options);
            }
            (Holds::Tables(keys), DeValue::Array(list)) => {
                let is_table = |value: &DeValue<'_>| matches!(value, DeValue::Table(_));
                if list.iter().all(|item| is_table(item.get_ref())) {
                    return self.tables(key.name).try_for_each(|table| table.check(keys));
                }
                "tables"
            }
            (Holds::Text, _) => "a text in quotes",
            (Holds::Whole, _) => "a whole number",
            (Holds::Decimal, _) => "a number",
            (Holds::Texts, _) => "a text in quotes, or a list of them",
            (Holds::Table(..), _) => "a table",
            (Holds::Tables(_), _) => "tables",
        };
        let form = match key.holds {
            Holds::Table(..) => format!("[{}] on a line of its own", key.name),
            Holds::Tables(_) => format!("[[{}]] on a line of its own for each", key.name),
            _ => wanted.to_owned(),
        };
        bail!("{}: '{}' must be {wanted}; write {form}", self.file.place(at), key.name)
    }
}
