//! Report of one run of one tool.

use std::fmt;

use crate::process::Finished;

/// One run of one tool, with what the tool had to say against its input.
#[derive(Debug)]
pub struct Report {
    /// The tool and what it was asked to do: `Verilator lint`.
    pub what: String,
    /// The run itself.
    pub run: Finished,
    /// Every warning and error, as the tool worded them.
    pub findings: Vec<String>,
}

impl Report {
    /// Judges a run: `is_finding` says which lines of its output are warnings or errors.
    pub fn new(what: &str, run: Finished, is_finding: impl Fn(&str) -> bool) -> Self {
        let lines = run.stdout.lines().chain(run.stderr.lines());
        let findings = lines.filter(|line| is_finding(line)).map(str::to_owned).collect();
        Report { what: what.to_owned(), run, findings }
    }

    /// Whether the tool ended well and found nothing.
    pub fn is_clean(&self) -> bool {
        self.run.success() && self.findings.is_empty()
    }

    /// Whether some finding contains `text`.
    pub fn mentions(&self, text: &str) -> bool {
        self.findings.iter().any(|finding| finding.contains(text))
    }

    /// Hands the report on where it is clean.
    ///
    /// # Panics
    /// Where it is not, with the whole output of the tool.
    #[track_caller]
    pub fn assert_clean(self) -> Self {
        assert!(self.is_clean(), "{self}");
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { what, run, findings } = self;
        writeln!(f, "{what}: {}, {} findings", run.ending(), findings.len())?;
        writeln!(f, "  {}", run.command)?;
        for finding in findings {
            writeln!(f, "  | {finding}")?;
        }
        writeln!(f, "--- standard output, the end of it\n{}", tail(&run.stdout))?;
        writeln!(f, "--- standard error, the end of it\n{}", tail(&run.stderr))
    }
}

/// The last hundred lines: a synthesis log is thousands long.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(100)..].join("\n")
}
