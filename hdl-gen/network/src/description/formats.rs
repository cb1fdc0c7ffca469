//! The formats that files of networks come in. A new one is one file and one line here.

use super::{Description, DescriptionError, Fault, MOST_BYTES, anynet, dot, graphml, native};

/// A file format.
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// Endings of files, without the dot.
    pub endings: &'static [&'static str],
    read: fn(&str, &str) -> Result<Description, DescriptionError>,
    write: fn(&Description) -> Result<String, Fault>,
}

/// Every format there is.
pub const FORMATS: &[Format] = &[
    Format {
        name: "topology",
        endings: &["topology"],
        read: native::read,
        write: |description| Ok(native::write(description)),
    },
    Format { name: "anynet", endings: &["anynet"], read: anynet::read, write: anynet::write },
    Format { name: "graphml", endings: &["graphml"], read: graphml::read, write: graphml::write },
    Format { name: "dot", endings: &["dot", "gv"], read: dot::read, write: dot::write },
];

impl Format {
    /// The format of a file of this name, by its ending; `None` where it has no known one.
    pub fn of_file(name: &str) -> Option<&'static Self> {
        let (_, ending) = name.rsplit_once('.')?;
        FORMATS.iter().find(|format| format.endings.contains(&ending))
    }

    /// The text of a file in this format.
    ///
    /// # Errors
    /// What the format cannot say.
    pub fn write(&self, description: &Description) -> Result<String, Fault> {
        (self.write)(description)
    }
}

/// Reads a file, in the format that its name ends in. A network that the file does not name is
/// named like the file.
///
/// # Errors
/// [`DescriptionError`], with the line where one is at fault.
pub fn read(file_name: &str, bytes: &[u8]) -> Result<Description, DescriptionError> {
    let Some(format) = Format::of_file(file_name) else {
        let endings = FORMATS.iter().flat_map(|format| format.endings).copied();
        let endings: Vec<&str> = endings.collect();
        return Err(Fault::Ending(file_name.to_owned(), endings.join(", .")).into());
    };
    if bytes.len() > MOST_BYTES {
        return Err(Fault::Large(bytes.len()).into());
    }
    let line_of = |at: usize| 1 + bytes[..at].iter().filter(|&&b| b == b'\n').count();
    let text = std::str::from_utf8(bytes)
        .map_err(|error| DescriptionError::at(line_of(error.valid_up_to()), Fault::Binary))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_binary = |c: char| c.is_control() && !matches!(c, '\t' | '\r' | '\n');
    if let Some(at) = text.find(is_binary) {
        return Err(DescriptionError::at(line_of(at), Fault::Binary));
    }
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    (format.read)(text, stem)
}
