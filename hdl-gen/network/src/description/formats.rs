//! The formats that files of networks come in. A new one is one file and one line here.

use super::{
    Description, DescriptionError, Fault, MOST_BYTES, Remark, anynet, dot, graphml, native,
};

/// A file format.
#[derive(Debug)]
pub struct Format {
    /// Name of the format on the command line.
    pub name: &'static str,
    /// Endings of files, without the dot, in small letters.
    pub endings: &'static [&'static str],
    /// Mark by which a file says that all its edges go both ways, of a format that may say that
    /// they go one way and not mean it: an edge without an arrow may only be drawn so.
    pub both_ways: Option<&'static str>,
    read: fn(&str, Wanted<'_>) -> Result<Reading, DescriptionError>,
    write: fn(&Description) -> Result<String, Fault>,
}

/// Request to a reader.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The network's name, where the file gives none.
    pub name: &'a str,
    /// Whether each edge is a link.
    pub two_way: bool,
}

/// Every format there is.
pub const FORMATS: &[Format] = &[
    Format {
        name: "topology",
        endings: &["topology"],
        both_ways: None,
        read: |text, wanted| native::read(text, wanted.name).map(Reading::from),
        write: |description| Ok(native::write(description)),
    },
    Format {
        name: "anynet",
        endings: &["anynet"],
        both_ways: None,
        read: |text, wanted| anynet::read(text, wanted.name),
        write: anynet::write,
    },
    Format {
        name: "graphml",
        endings: &["graphml"],
        both_ways: Some("edgedefault=\"undirected\" in <graph>"),
        read: |text, wanted| graphml::read(text, wanted).map(Reading::from),
        write: graphml::write,
    },
    Format {
        name: "dot",
        endings: &["dot", "gv"],
        both_ways: Some("graph and -- in place of digraph and ->"),
        read: |text, wanted| dot::read(text, wanted).map(Reading::from),
        write: dot::write,
    },
];

impl Format {
    /// The format of a file of this name, by its ending, whatever the case of its letters; `None`
    /// where it has no known one.
    pub fn of_file(name: &str) -> Option<&'static Self> {
        let (_, ending) = name.rsplit_once('.')?;
        let is = |known: &&str| known.eq_ignore_ascii_case(ending);
        FORMATS.iter().find(|format| format.endings.iter().any(is))
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// The text of a file in this format.
    ///
    /// # Errors
    /// What the format cannot say.
    pub fn write(&self, description: &Description) -> Result<String, Fault> {
        (self.write)(description)
    }
}

/// Options of a reader.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReadOptions {
    /// Format of the file; that of its name's ending where `None`.
    pub format: Option<&'static Format>,
    /// Whether each edge that goes one way is a link, which goes both ways.
    pub two_way: bool,
}

/// Network that was read, and remarks on its file.
#[derive(Debug)]
pub struct Reading {
    /// The network.
    pub description: Description,
    /// Facts in the file that the network does not keep.
    pub remarks: Vec<Remark>,
}

impl From<Description> for Reading {
    fn from(description: Description) -> Self {
        Self { description, remarks: Vec::new() }
    }
}

/// The network of a file, in the format that its name ends in. One that the file does not name is
/// named like the file.
///
/// # Errors
/// [`DescriptionError`], with the line where one is at fault.
pub fn read(file_name: &str, bytes: &[u8]) -> Result<Description, DescriptionError> {
    read_with(file_name, bytes, ReadOptions::default()).map(|reading| reading.description)
}

/// The network of a file that is read as these options say, with remarks.
///
/// # Errors
/// As [`read`]; edges that cannot be read both ways.
pub fn read_with(
    file_name: &str,
    bytes: &[u8],
    options: ReadOptions,
) -> Result<Reading, DescriptionError> {
    let Some(format) = options.format.or_else(|| Format::of_file(file_name)) else {
        let endings = FORMATS.iter().flat_map(|format| format.endings).copied();
        let endings: Vec<&str> = endings.collect();
        return Err(Fault::Ending(file_name.to_owned(), endings.join(", .")).into());
    };
    if options.two_way && format.both_ways.is_none() {
        return Err(Fault::NoArrows(format.name).into());
    }
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
    let name = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    (format.read)(text, Wanted { name, two_way: options.two_way })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_known_in_any_case() {
        for (name, format) in [
            ("NET.GRAPHML", Some("graphml")),
            ("a.b.Gv", Some("dot")),
            ("x.Topology", Some("topology")),
            ("net.xml", None),
            ("anynet", None),
        ] {
            assert_eq!(Format::of_file(name).map(|format| format.name), format, "{name}");
        }
    }

    /// A name that says no format, or another than its content.
    #[test]
    fn a_format_can_be_said() {
        let text = b"router 0 node 0 router 1 node 1";
        let as_anynet = ReadOptions { format: Format::named("anynet"), ..ReadOptions::default() };
        for name in ["anynet_file", "net.txt", "net.dot"] {
            let reading = read_with(name, text, as_anynet).unwrap();
            assert_eq!(reading.description.nodes.len(), 2, "{name}");
            assert!(read(name, text).is_err(), "{name}");
        }
    }

    #[test]
    fn edges_one_way_are_read_both_ways_where_that_is_asked() {
        let two_way = ReadOptions { two_way: true, ..ReadOptions::default() };
        let channels = |name: &str, text: &str, options| {
            let reading = read_with(name, text.as_bytes(), options);
            reading.map(|reading| reading.description.channels.len()).map_err(|e| *e.fault)
        };
        let graphml = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\
                       <edge source=\"a\" target=\"b\"/></graph></graphml>";
        for (name, text) in [("n.graphml", graphml), ("n.dot", "digraph { a -> b }")] {
            assert_eq!(channels(name, text, ReadOptions::default()), Ok(1));
            assert_eq!(channels(name, text, two_way), Ok(2));
        }
        assert_eq!(channels("n.dot", "graph { a -- b }", two_way), Err(Fault::BothWays));
        let refused = channels("n.anynet", "router 0 node 0 router 1 node 1", two_way);
        assert_eq!(refused, Err(Fault::NoArrows("anynet")));
    }
}
