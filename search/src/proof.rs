//! Proofs that a formula has no solution: a file of clauses in the DRAT format, checked by a
//! checker that shares no code with the solver (the crate dratify).

use crate::formula::Formula;
use crate::solver::{self, Limits, Satisfiability};
use dratify::Checker;
use rustsat::types::Lit;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A proof that could not be written or does not hold.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    #[error("cannot write the proof {path}: {error}")]
    File {
        /// Path of the file.
        path: String,
        /// Error of the system.
        error: io::Error,
    },
    /// The checker refuses it: a bug in the solver.
    #[error("internal error: the proof {path} does not hold: {reason}")]
    Refused {
        /// Path of the proof.
        path: String,
        /// The checker's reason.
        reason: String,
    },
}

/// Solves `formula`; where there is nothing, the formula is in the file `formula_of(path)` and
/// the proof in `path`, both whole, and the proof has been checked. Otherwise neither is there.
///
/// # Errors
/// [`ProofError`].
pub fn solve(
    formula: &Formula,
    limits: &Limits,
    path: &Path,
) -> Result<Satisfiability, ProofError> {
    let in_file = |path: &Path, error| ProofError::File { path: path.display().to_string(), error };
    let unfinished = beside(path, "unfinished");
    let at_proof = |error| in_file(&unfinished, error);
    let mut file = BufWriter::new(File::create(&unfinished).map_err(at_proof)?);
    let solved = solver::solve(formula, limits, Some(&mut file)).and_then(|verdict| {
        file.flush()?;
        Ok(verdict)
    });
    drop(file);
    if !matches!(solved, Ok(Satisfiability::Unsatisfiable)) {
        // Of no use to anybody; an older proof stays where it is.
        let _ = std::fs::remove_file(&unfinished);
        return solved.map_err(at_proof);
    }
    check(formula, &unfinished).map_err(|refused| match refused {
        Ok(reason) => ProofError::Refused { path: unfinished.display().to_string(), reason },
        Err(error) => at_proof(error),
    })?;
    let dimacs = formula_of(path);
    let written = File::create(&dimacs).map(BufWriter::new).and_then(|mut file| {
        formula.write_dimacs(&mut file)?;
        file.flush()
    });
    written.map_err(|error| in_file(&dimacs, error))?;
    std::fs::rename(&unfinished, path).map_err(|error| in_file(path, error))?;
    Ok(Satisfiability::Unsatisfiable)
}

/// The file of the formula that a proof is of.
pub fn formula_of(proof: &Path) -> PathBuf {
    beside(proof, "cnf")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

/// Reads a proof and checks each step against the formula. `Err(Ok(reason))` where it does not
/// hold.
fn check(formula: &Formula, proof: &Path) -> Result<(), Result<String, io::Error>> {
    let own = |lit: &Lit| 2 * lit.vidx32() + u32::from(lit.is_neg());
    let clauses: Vec<Vec<u32>> =
        formula.clauses().map(|clause| clause.iter().map(own).collect()).collect();
    let mut checker = Checker::new(formula.variables(), &clauses, true, true);
    for line in BufReader::new(File::open(proof).map_err(Err)?).lines() {
        let line = line.map_err(Err)?;
        let deletion = line.strip_prefix("d ");
        let numbers = deletion.unwrap_or(&line).split_ascii_whitespace();
        let numbers = numbers.filter_map(|number| number.parse::<i64>().ok()).filter(|&n| n != 0);
        let lit = |n: i64| 2 * (n.unsigned_abs() as u32 - 1) + u32::from(n < 0);
        let lits: Vec<u32> = numbers.map(lit).collect();
        if !checker.check_step(deletion.is_some(), &lits) {
            break;
        }
    }
    // What the steps came to.
    let result = checker.check(&[]);
    if result.ok { Ok(()) } else { Err(Ok(result.reason)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of three, and no two of them.
    fn nothing() -> Formula {
        let mut formula = Formula::default();
        let lits: Vec<Lit> = (0..7).map(|_| formula.fresh()).collect();
        formula.at_least(&lits, 3);
        formula.at_most(&lits, 2);
        formula
    }

    #[test]
    fn a_proof_is_written_whole_and_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.drat");
        let formula = nothing();
        let verdict = solve(&formula, &Limits::default(), &path).unwrap();
        assert_eq!(verdict, Satisfiability::Unsatisfiable);
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["p.drat", "p.drat.cnf"]);
        assert!(check(&formula, &path).is_ok());
        // The same steps prove nothing of a formula that has a solution.
        let mut more = Formula::default();
        let lits: Vec<Lit> = (0..7).map(|_| more.fresh()).collect();
        more.at_least(&lits, 3);
        assert!(check(&more, &path).is_err());
        // Nor do fewer steps of this one.
        std::fs::write(&path, "").unwrap();
        assert!(check(&formula, &path).is_err());
    }

    #[test]
    fn what_was_there_is_kept_where_there_is_a_solution() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.drat");
        std::fs::write(&path, "old").unwrap();
        let mut formula = Formula::default();
        let lit = formula.fresh();
        formula.clause([lit]);
        let verdict = solve(&formula, &Limits::default(), &path).unwrap();
        assert!(matches!(verdict, Satisfiability::Satisfiable(_)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("no/p.drat");
        assert!(solve(&formula, &Limits::default(), &nowhere).is_err());
    }
}
