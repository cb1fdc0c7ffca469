//! Options that files give, and where these stand.

/// Option that a file gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Id of the option.
    pub id: String,
    /// Values of the option, as they would stand on the command line.
    pub words: Vec<String>,
    /// Path of the file.
    pub file: String,
    /// Lines there, counted from 1: one of all words, or one of each; none where it is not known.
    pub lines: Vec<usize>,
}

impl Setting {
    /// The place of what a message says of the setting: the file, with the line where there is one. Of
    /// several words `NAME=VALUE` in lines of their own it is that whose name the message has first.
    pub fn place(&self, message: &str) -> String {
        let line = match self.lines[..] {
            [line] => Some(line),
            _ => {
                let names =
                    self.words.iter().map(|word| word.split('=').next().unwrap_or_default());
                let named = names
                    .zip(&self.lines)
                    .filter_map(|(name, line)| Some((mention(message, name)?, *line)));
                named.min_by_key(|(at, _)| *at).map(|(_, line)| line)
            }
        };
        match line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        }
    }
}

/// Place in a message where a name stands, as a word of its own.
fn mention(message: &str, name: &str) -> Option<usize> {
    let within = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut found = message.match_indices(name).map(|(at, _)| at);
    found.find(|&at| {
        let (before, behind) = (&message[..at], &message[at + name.len()..]);
        !name.is_empty() && !before.ends_with(within) && !behind.starts_with(within)
    })
}

/// Options that a file gives, each once.
pub type Values = Vec<Setting>;
