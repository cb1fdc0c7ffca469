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
    /// A name, a number, a quoted text or HTML.
    Id { text: String, kind: IdKind },
    /// A mark: one of `{ } [ ] ; , = :`.
    Mark(char),
    /// `->` or `--`.
    Edge { directed: bool },
}

/// Form in which a word is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IdKind {
    /// Letters, digits and underscores: a name, or a keyword.
    Bare,
    Number,
    Quoted,
    /// Text in angle brackets, which are part of it.
    Html,
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
    let mut lexer = Lexer { text, rest: text, line: 1, begins_line: true, bare: None };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    text: &'a str,
    rest: &'a str,
    line: usize,
    begins_line: bool,
    /// Bytes at which the last word begins and ends, if it is a name or a number.
    bare: Option<(usize, usize)>,
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

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
            let blanks = self.rest.len() - self.rest.trim_start_matches(BLANKS).len();
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
        let (line, start) = (self.line, self.at());
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let word = match first {
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => {
                self.take(1);
                Word::Mark(first)
            }
            '-' if self.rest.starts_with("->") || self.rest.starts_with("--") => {
                Word::Edge { directed: self.take(2) == "->" }
            }
            '"' => Word::Id { text: self.quoted()?, kind: IdKind::Quoted },
            '<' => Word::Id { text: self.html()?, kind: IdKind::Html },
            '-' | '.' | '0'..='9' => match number(self.rest) {
                0 => return Err(self.wrong(format!("'{first}' is no word of DOT"))),
                length => Word::Id { text: self.take(length).to_owned(), kind: IdKind::Number },
            },
            c if is_letter(c) => {
                let end = self.rest.find(|c: char| !is_letter(c) && !c.is_ascii_digit());
                let text = self.take(end.unwrap_or(self.rest.len())).to_owned();
                Word::Id { text, kind: IdKind::Bare }
            }
            other => return Err(self.wrong(format!("'{other}' is no word of DOT"))),
        };
        let is_id = matches!(word, Word::Id { .. });
        match self.bare.take() {
            Some((begin, end)) if is_id && end == start => return Err(self.torn(begin)),
            _ => {}
        }
        if let Word::Id { kind: IdKind::Bare | IdKind::Number, .. } = word {
            self.bare = Some((start, self.at()));
        }
        Ok(Some(Token { line, word }))
    }

    /// Bytes that are read so far.
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Words that touch, which Graphviz reads as several and nobody means so, such as `0a` and
    /// `sw-1`.
    fn torn(&self, begin: usize) -> DescriptionError {
        let is_part = |c: char| is_letter(c) || c.is_ascii_digit() || ".-".contains(c);
        let all = &self.text[begin..];
        let mut end = all.find(|c| !is_part(c)).unwrap_or(all.len());
        end = ["--", "->"].iter().filter_map(|edge| all.find(edge)).fold(end, usize::min);
        let all = &all[..end.max(self.at() - begin).min(all.len())];
        self.wrong(format!(
            "'{all}' falls into pieces, of which DOT makes several; in quotes it is one: write \
             \"{all}\""
        ))
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
            let rest = self.rest.trim_start_matches(BLANKS).strip_prefix('+');
            let joined = rest.map(|rest| rest.trim_start_matches(BLANKS));
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

/// The length in bytes of the number at the beginning of a text: digits, a dot before, among or
/// behind them, and a sign. 0 where there is none.
fn number(text: &str) -> usize {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(&text[sign..]);
    let rest = &text[sign + whole..];
    let part = rest.strip_prefix('.').map_or(0, |part| 1 + digits(part));
    match (whole, part) {
        (0, 0 | 1) => 0,
        _ => sign + whole + part,
    }
}

/// Every character beyond ASCII is one, but for the mark that begins a file.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || (!c.is_ascii() && c != '\u{feff}')
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
        for text in ["\"a", "<a", "/* a", "a ^ b", "\"a\\", "- a", ".", "-.", "a \u{feff}b"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_and_names_beside_marks() {
        let words = |text: &str| -> Vec<String> {
            tokens(text).unwrap().iter().map(|t| t.word.shown()).collect()
        };
        assert_eq!(words("a--1"), ["'a'", "'--'", "'1'"]);
        assert_eq!(
            words("1.5--.5;-3.--b"),
            ["'1.5'", "'--'", "'.5'", "';'", "'-3.'", "'--'", "'b'"]
        );
        assert_eq!(
            words("a->-1 a/**/b \"x\"y"),
            ["'a'", "'->'", "'-1'", "'a'", "'b'", "'x'", "'y'"]
        );
        assert_eq!(words("a\u{a0}b"), ["'a\u{a0}b'"]);
    }

    /// Graphviz makes two words of each of these, with a warning at most.
    #[test]
    fn words_that_touch_are_refused() {
        for (text, all) in [
            ("a 0a -- 0b", "0a"),
            ("a;\n0_0 -- b", "0_0"),
            ("sw-1--sw-2", "sw-1"),
            ("x -> 10.0.0.1->y", "10.0.0.1"),
            ("a.5", "a.5"),
            ("1\u{e9}", "1\u{e9}"),
            ("1-2", "1-2"),
            ("[w=7.5in]", "7.5in"),
        ] {
            let error = tokens(text).unwrap_err().to_string();
            let line = 1 + text.matches('\n').count();
            assert!(
                error.starts_with(&format!("line {line}: '{all}' falls into pieces")),
                "{error}"
            );
            assert!(error.ends_with(&format!("write \"{all}\"")), "{error}");
        }
        assert!(tokens("a\"b\"").is_err());
    }
}
