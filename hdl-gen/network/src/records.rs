//! Records of CSV text, each with its line: what lists of flows, of terminals and of next hops are read
//! from. `#` begins a comment on a line of its own, and blanks around a field are none of it.

use csv::{Reader, ReaderBuilder, StringRecord, Trim};

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
