//! Records of CSV text, each with its line: what lists of flows, of terminals and of next hops are read
//! from. `#` begins a comment on a line of its own, and blanks around a field are none of it.

use csv::{Reader, ReaderBuilder, StringRecord, Trim};
use turnpike_base::nearest::Nearest;

/// Records of a text. Any number of fields may stand in one.
pub struct Records<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    record: StringRecord,
}

/// Text that is no CSV.
#[derive(Debug)]
pub struct NoRecord {
    /// Number of the line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// Fault in words.
    pub fault: String,
}

impl<'a> Records<'a> {
    /// Records of this text.
    pub fn of(text: &'a str) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .trim(Trim::All)
            .from_reader(text.as_bytes());
        Self { text, reader, record: StringRecord::new() }
    }

    /// The next record and the number of its line, counted from 1; `None` behind the last.
    ///
    /// # Errors
    /// Text that is no CSV.
    pub fn read(&mut self) -> Result<Option<(usize, &StringRecord)>, NoRecord> {
        let more = self.reader.read_record(&mut self.record).map_err(|error| NoRecord {
            line: error.position().map(|position| position.line() as usize),
            fault: error.to_string(),
        })?;
        Ok(more.then(|| (self.line(), &self.record)))
    }

    fn line(&self) -> usize {
        let Some(position) = self.record.position() else { return 1 };
        // Lines before a record that say nothing are counted with it.
        let begins = self.text.get(position.byte() as usize..).unwrap_or_default();
        let says_nothing = |line: &&str| line.trim().is_empty() || line.starts_with('#');
        position.line() as usize + begins.lines().take_while(says_nothing).count()
    }
}

/// Fault of a table: names of its columns, or fields of a record.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ColumnError {
    /// A column that must be there.
    #[error("no column '{missing}'; begin with a line '{wanted}'")]
    Missing {
        /// Name of the column.
        missing: &'static str,
        /// Names of all columns that must be there, comma-separated.
        wanted: String,
    },
    /// A column of another name.
    #[error("unknown column '{name}'{nearest} (there are: {known})")]
    Unknown {
        /// Name of the column.
        name: String,
        /// The known name that is near, if there is one.
        nearest: Nearest,
        /// All names, comma-separated.
        known: String,
    },
    /// A column that stands there again.
    #[error("column '{0}' stands there twice; name it once")]
    Twice(String),
    /// A record with too few fields or too many.
    #[error("{fields} fields where there are {columns} columns")]
    Fields {
        /// Number of fields.
        fields: usize,
        /// Number of columns.
        columns: usize,
    },
}

/// Columns that a table may have.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Names of all.
    pub known: &'static [&'static str],
    /// Number of those that must be there: the first.
    pub required: usize,
}

impl Columns {
    /// Numbers of the columns of a table, by the record of their names.
    ///
    /// # Errors
    /// A name that is not known or stands there twice; a column that must be there and is not.
    pub fn of(&self, names: &StringRecord) -> Result<Vec<usize>, ColumnError> {
        let mut columns = Vec::new();
        for name in names {
            let find = || self.known.iter().position(|known| *known == name);
            let column = find().ok_or_else(|| ColumnError::Unknown {
                name: name.to_owned(),
                nearest: Nearest::of(name, self.known.iter().copied()),
                known: self.known.join(", "),
            })?;
            if columns.contains(&column) {
                return Err(ColumnError::Twice(name.to_owned()));
            }
            columns.push(column);
        }
        match (0..self.required).find(|column| !columns.contains(column)) {
            Some(missing) => Err(self.missing(missing)),
            None => Ok(columns),
        }
    }

    /// Fault of a table without the column of a number.
    pub fn missing(&self, column: usize) -> ColumnError {
        let wanted = self.known[..self.required].join(",");
        ColumnError::Missing { missing: self.known[column], wanted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_their_lines() {
        let mut records = Records::of("\n# a remark\na, b\n\n# another\nc,\"d\ne\",f\r\n\ng\n");
        let mut found = Vec::new();
        while let Some((line, record)) = records.read().unwrap() {
            found.push((line, record.iter().collect::<Vec<_>>().join("|")));
        }
        let wanted = [(3, "a|b"), (6, "c|d\ne|f"), (9, "g")];
        assert_eq!(found, wanted.map(|(line, fields)| (line, fields.to_owned())));
    }
}
