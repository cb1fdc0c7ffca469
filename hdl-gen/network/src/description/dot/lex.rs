//! The words of a DOT file.

use crate::description::{DescriptionError, Fault};

/// A word, and the line where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub line: usize,
    pub word: Word,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A name, a number or a quoted text. `bare` ones can be keywords.
    Id { text: String, bare: bool },
    /// One of `{ } [ ] ; , = :`.
    Mark(char),
    /// `->` or `--`.
    Edge { directed: bool },
}

impl Word {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Id { text, .. } => format!("'{text}'"),
            Self::Mark(mark) => format!("'{mark}'"),
            Self::Edge { directed } => if *directed { "'->'" } else { "'--'" }.to_owned(),
        }
    }
}

/// The words of a text, without its comments.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, DescriptionError> {
    let mut lexer = Lexer { rest: text, line: 1, begins_line: true };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    begins_line: bool,
}

impl<'a> Lexer<'a> {
    /// Takes so many bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        self.begins_line = taken.ends_with('\n') || (self.begins_line && taken.trim().is_empty());
        taken
    }

    fn wrong(&self, text: impl Into<String>) -> DescriptionError {
        DescriptionError::at(self.line, Fault::Syntax(text.into()))
    }

    /// Takes up to and with `end`.
    fn through(&mut self, end: &str, what: &str) -> Result<(), DescriptionError> {
        match self.rest.find(end) {
            Some(at) => {
                self.take(at + end.len());
                Ok(())
            }
            None => Err(self.wrong(format!("{what} does not end"))),
        }
    }

    fn next(&mut self) -> Result<Option<Token>, DescriptionError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("/*") {
                self.through("*/", "the comment")?;
            } else if self.rest.starts_with("//")
                || (self.rest.starts_with('#') && self.begins_line)
            {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else {
                break;
            }
        }
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let word = match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                self.take(1);
                Word::Mark(first)
            }
            '-' if self.rest.starts_with("->") || self.rest.starts_with("--") => {
                Word::Edge { directed: self.take(2) == "->" }
            }
            '"' => Word::Id { text: self.quoted()?, bare: false },
            '<' => Word::Id { text: self.html()?, bare: false },
            '-' | '.' | '0'..='9' => {
                let is_part = |c: char| c.is_ascii_digit() || c == '.';
                let body = self.rest.strip_prefix('-').unwrap_or(self.rest);
                let sign = self.rest.len() - body.len();
                let length = body.find(|c| !is_part(c)).unwrap_or(body.len());
                if length == 0 {
                    return Err(self.wrong("'-' is no word of DOT"));
                }
                Word::Id { text: self.take(sign + length).to_owned(), bare: false }
            }
            c if is_letter(c) => {
                let end = self.rest.find(|c: char| !is_letter(c) && !c.is_ascii_digit());
                let text = self.take(end.unwrap_or(self.rest.len())).to_owned();
                Word::Id { text, bare: true }
            }
            other => return Err(self.wrong(format!("'{other}' is no word of DOT"))),
        };
        Ok(Some(Token { line, word }))
    }

    /// A text in quotes, and those that a `+` joins to it.
    fn quoted(&mut self) -> Result<String, DescriptionError> {
        let mut text = String::new();
        loop {
            self.take(1);
            loop {
                let Some(at) = self.rest.find(['"', '\\']) else {
                    return Err(self.wrong("the text in quotes does not end"));
                };
                text.push_str(self.take(at));
                if self.rest.starts_with('"') {
                    self.take(1);
                    break;
                }
                // An escaped quote is a quote, an escaped end of line nothing, others stay.
                let escaped = self.rest[1..].chars().next();
                match escaped {
                    Some('"') => text.push('"'),
                    Some('\n') => {}
                    Some(other) => text.extend(['\\', other]),
                    None => return Err(self.wrong("the text in quotes does not end")),
                }
                self.take(1 + escaped.map_or(0, char::len_utf8));
            }
            let joined = self.rest.trim_start().strip_prefix('+').map(str::trim_start);
            match joined.filter(|rest| rest.starts_with('"')) {
                Some(rest) => _ = self.take(self.rest.len() - rest.len()),
                None => return Ok(text),
            }
        }
    }

    /// A text in angle brackets, which stand in pairs.
    fn html(&mut self) -> Result<String, DescriptionError> {
        let mut depth = 0;
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(self.take(at + 1).to_owned());
            }
        }
        Err(self.wrong("the text in angle brackets does not end"))
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_comments_and_quotes() {
        let text = "# a line\ngraph /* two\nlines */ g { a -- \"b \\\"q\\\" \" + \"c\"; // end\n\
                    -1.5 -> <i <b>x</b>> }";
        let words: Vec<String> = tokens(text).unwrap().iter().map(|t| t.word.shown()).collect();
        let expected = [
            "'graph'",
            "'g'",
            "'{'",
            "'a'",
            "'--'",
            "'b \"q\" c'",
            "';'",
            "'-1.5'",
            "'->'",
            "'<i <b>x</b>>'",
            "'}'",
        ];
        assert_eq!(words, expected);
        assert_eq!(tokens(text).unwrap().last().unwrap().line, 4);
        for text in ["\"a", "<a", "/* a", "a ^ b", "\"a\\", "- a"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }
}
