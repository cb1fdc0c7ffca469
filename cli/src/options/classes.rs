//! Classes of traffic, as `--class` takes them.

use super::values;
use std::fmt::Display;
use std::str::FromStr;
use turnpike_base::nearest::Nearest;
use turnpike_sim_network::traffic::{Class, Lengths};

/// Keys of a class.
const KEYS: [&str; 3] = ["share", "traffic", LENGTHS];
const LENGTHS: &str = "packet-length";

/// A class: what it does not say is as for all traffic.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassOption {
    /// Name of the class.
    pub name: String,
    /// Share of the class in the load.
    pub share: f64,
    /// Pattern of the class.
    pub traffic: Option<String>,
    pub packet_length: Option<Lengths>,
}

impl ClassOption {
    /// The class, where all traffic is of this pattern and of these lengths.
    pub fn among(&self, pattern: &str, lengths: &Lengths) -> Class {
        Class {
            name: self.name.clone(),
            share: self.share,
            pattern: self.traffic.clone().unwrap_or_else(|| pattern.to_owned()),
            packet_flits: self.packet_length.clone().unwrap_or_else(|| lengths.clone()),
        }
    }
}

/// `NAME:share=SHARE`, and with commas between `traffic=PATTERN` and `packet-length=FLITS`, whose own commas
/// do no harm. Several classes may follow one another: a list in a configuration file is that.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassList(pub Vec<ClassOption>);

/// The words of a class: its name, and what it says by key.
struct Words<'a> {
    name: &'a str,
    values: Vec<(&'a str, String)>,
}

impl FromStr for ClassList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all: Vec<Words<'_>> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let said = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match said {
                Some((key, value)) => {
                    let key = match key.split_once(':') {
                        None => key,
                        Some((name, key)) => {
                            all.push(Words { name: name.trim(), values: Vec::new() });
                            key.trim()
                        }
                    };
                    let class = all.last_mut().ok_or_else(|| no_class(part))?;
                    class.values.push((key, value.to_owned()));
                }
                // More of a list of lengths.
                None => {
                    let last = all.last_mut().and_then(|class| class.values.last_mut());
                    let lengths = last.filter(|(key, _)| *key == LENGTHS);
                    let (_, value) = lengths.ok_or_else(|| no_class(part))?;
                    *value += ",";
                    *value += part;
                }
            }
        }
        Ok(Self(all.iter().map(class).collect::<Result<_, _>>()?))
    }
}

fn no_class(part: &str) -> String {
    format!(
        "'{part}' says nothing of a class; use NAME:share=SHARE and, with commas between, traffic=PATTERN and \
         packet-length=FLITS, such as control:share=0.2,packet-length=1"
    )
}

fn class(Words { name, values }: &Words<'_>) -> Result<ClassOption, String> {
    let (mut share, mut traffic, mut packet_length) = (None, None, None);
    let wrong = |error: &dyn Display| format!("class {name}: {error}");
    for (at, (key, value)) in values.iter().enumerate() {
        if values[..at].iter().any(|(other, _)| other == key) {
            return Err(format!("class {name} says {key} twice; say it once"));
        }
        match *key {
            "share" => {
                let no_number = |_| {
                    format!(
                        "class {name} has the share '{value}'; use a number above 0 and up to 1, such \
                         as 0.5"
                    )
                };
                share = Some(value.parse().map_err(no_number)?);
            }
            "traffic" => {
                traffic = Some(values::traffic(value).map_err(|error| wrong(&error))?);
            }
            LENGTHS => {
                let lengths: Lengths = value.parse().map_err(|error| wrong(&error))?;
                lengths.check().map_err(|error| wrong(&error))?;
                packet_length = Some(lengths);
            }
            _ => {
                let nearest = Nearest::of(key, KEYS);
                return Err(format!(
                    "class {name}: unknown '{key}'{nearest} (there are: {})",
                    KEYS.join(", ")
                ));
            }
        }
    }
    let no_share =
        || format!("class {name} has no share of the load; give it one, such as share=0.5");
    Ok(ClassOption {
        name: (*name).to_owned(),
        share: share.ok_or_else(no_share)?,
        traffic,
        packet_length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<Class> {
        let ClassList(all) = text.parse().unwrap();
        all.iter().map(|class| class.among("tornado", &Lengths::one(4))).collect()
    }

    #[test]
    fn what_a_class_says_and_what_it_takes_over() {
        let [all, own] = &classes(
            "all:share=0.25, own:share=0.75,packet-length=1:0.8,5:0.2,traffic=shuffle",
        )[..] else {
            panic!("two classes");
        };
        assert_eq!((&*all.name, all.share, &*all.pattern), ("all", 0.25, "tornado"));
        assert_eq!(all.packet_flits, Lengths::one(4));
        assert_eq!((&*own.name, own.share, &*own.pattern), ("own", 0.75, "shuffle"));
        assert_eq!(own.packet_flits.to_string(), "1:0.8,5:0.2");
        assert_eq!(classes("a:packet-length=1:0.5,2:0.5,share=1")[0].share, 1.0);
    }

    #[test]
    fn wrong_ones_say_what_is_right() {
        for (text, expected) in [
            ("", "'' says nothing of a class; use NAME:share=SHARE"),
            ("control", "'control' says nothing of a class"),
            ("share=0.5", "'share=0.5' says nothing of a class"),
            ("a:traffic=uniform", "class a has no share of the load"),
            ("a:share=x", "class a has the share 'x'; use a number above 0"),
            ("a:share=0.5,share=0.5", "class a says share twice"),
            ("a:share=1,trafic=uniform", "class a: unknown 'trafic'; did you mean 'traffic'?"),
            (
                "a:share=1,traffic=unifrom",
                "class a: unknown traffic 'unifrom'; did you mean 'uniform'?",
            ),
            ("a:share=1,packet-length=0", "class a: '0' is no length of packets"),
            ("a:share=1,packet-length=1:0.5,2:0.4", "class a: the shares sum to 0.9"),
            ("a:share=1,5", "'5' says nothing of a class"),
            ("a:share=1,packet-length=1048577", "class a: packet length 1048577 is out of range"),
        ] {
            let error = text.parse::<ClassList>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
