//! Proofs as text.

use super::{ProofRow, ProofVerdict, any_ran};
use crate::Verdict;
use crate::table::Table;
use std::time::Duration;

pub(super) fn word(row: &ProofRow) -> String {
    let cycles = row.cycles.unwrap_or(0);
    match row.result {
        ProofVerdict::Proved => "proved".to_owned(),
        ProofVerdict::Bounded => format!("holds for {cycles} cycles"),
        ProofVerdict::Reached => format!("reached in {cycles} cycles"),
        ProofVerdict::Skipped => "skipped".to_owned(),
        ProofVerdict::Refuted => "REFUTED".to_owned(),
        ProofVerdict::Vacuous => "VACUOUS".to_owned(),
        ProofVerdict::Unreached => format!("NOT REACHED in {cycles} cycles"),
        ProofVerdict::Warned => "YOSYS WARNS".to_owned(),
        ProofVerdict::Unknown => "UNKNOWN".to_owned(),
        ProofVerdict::TimeLimit => "TIME LIMIT".to_owned(),
    }
}

fn table(rows: &[ProofRow]) -> Table {
    let mut table = Table::new(["module", "properties", "engine", "result", "seconds", "details"]);
    for row in rows {
        let mut details = row.details.clone();
        details.extend(row.trace.iter().map(|trace| format!("trace in {}", trace.display())));
        table.push(vec![
            row.module.clone(),
            row.properties.to_owned(),
            row.engine.to_owned(),
            word(row),
            format!("{:.1}", row.seconds),
            details.join("; "),
        ]);
    }
    table
}

/// Report for people.
pub(super) fn text(
    configuration: &str,
    rows: &[ProofRow],
    verdict: Verdict,
    limit: Duration,
) -> String {
    let mut text = format!("{configuration}\n\n{}", table(rows).text());
    let of = |result| rows.iter().filter(|row| row.result == result).count();
    let skipped = of(ProofVerdict::Skipped);
    text += "\n";
    text += &match (verdict, skipped) {
        (Verdict::Holds, 0) => "every proof holds\n".to_owned(),
        (Verdict::Holds, _) => {
            format!("every proof that ran holds; {skipped} row(s) skipped, see there\n")
        }
        (Verdict::Fails, _) => "NOT every proof holds\n".to_owned(),
        (Verdict::Undecided, 0) if rows.is_empty() => {
            "NOTHING IS PROVEN: no proof stands beside this fabric\n".to_owned()
        }
        (Verdict::Undecided, _) if !any_ran(rows) => {
            format!("NOTHING IS PROVEN: {skipped} row(s) skipped, see there\n")
        }
        (Verdict::Undecided | Verdict::Interrupted, _) => {
            let (late, unknown) = (of(ProofVerdict::TimeLimit), of(ProofVerdict::Unknown));
            let (late, limit) = (late, limit.as_secs());
            let decided = rows.len() - late - unknown - skipped;
            let late =
                (late > 0).then(|| format!("{late} row(s) not within --limit {limit} s; raise it"));
            let unknown = (unknown > 0).then(|| format!("on {unknown} row(s) the engine gave up"));
            let why: Vec<String> = late.into_iter().chain(unknown).collect();
            format!("NOT DECIDED: {}. The other {decided} hold\n", why.join("; "))
        }
    };
    text
}
