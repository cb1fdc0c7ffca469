//! Proofs: what holds is proved, and what does not is refuted at the right cycle.

use std::fs;

use turnpike_tests::abc::{Abc, ProofVerdict};
use turnpike_tests::process::LIMIT;
use turnpike_tests::require;
use turnpike_tests::sources::Sources;
use turnpike_tests::yosys::Yosys;

/// Counts 0 to 9 and starts again while `step` is high; what it reaches is written to a
/// memory and read back from it.
const DECADE: &str = "\
module decade (input wire clk, input wire step);
  reg [3:0] count = 4'd0;
  reg written = 1'b0;
  reg [3:0] last;
  reg [3:0] store [0:1];
  always @(posedge clk) begin
    if (step) count <= count == 4'd9 ? 4'd0 : count + 4'd1;
    store[count[0]] <= count;
    last <= count;
    written <= 1'b1;
  end
  ASSUMPTION
  always @* if (written) assert (store[last[0]] == last);
  always @* assert (BOUND);
endmodule
";

fn verdict(bound: &str, assumption: &str) -> Option<ProofVerdict> {
    let (Some(yosys), Some(abc)) = (require::<Yosys>(), require::<Abc>()) else { return None };
    let folder = tempfile::tempdir().unwrap();
    let text = DECADE.replace("BOUND", bound).replace("ASSUMPTION", assumption);
    fs::write(folder.path().join("decade.v"), text).unwrap();
    let sources = Sources::all_in(folder.path(), "decade").unwrap();
    let aiger = folder.path().join("decade.aig");
    yosys.write_aiger(&sources, &aiger).assert_clean();
    Some(abc.pdr(&aiger, LIMIT).unwrap_or_else(|report| panic!("{report}")))
}

#[test]
fn what_holds_is_proved() {
    let Some(found) = verdict("count < 4'd10", "") else { return };
    assert_eq!(found, ProofVerdict::Proved);
}

#[test]
fn what_does_not_hold_is_refuted() {
    let Some(found) = verdict("count < 4'd9", "") else { return };
    assert_eq!(found, ProofVerdict::Failed { cycle: 9 });
    // A register or a memory without an initial value starts with any.
    assert_eq!(verdict("last < 4'd10", ""), Some(ProofVerdict::Failed { cycle: 0 }));
    assert_eq!(verdict("store[1] < 4'd10", ""), Some(ProofVerdict::Failed { cycle: 0 }));
}

#[test]
fn assumptions_count() {
    let Some(found) = verdict("count == 4'd0", "always @* assume (!step);") else { return };
    assert_eq!(found, ProofVerdict::Proved);
    assert_eq!(verdict("count == 4'd0", ""), Some(ProofVerdict::Failed { cycle: 1 }));
}

#[test]
fn a_graph_that_is_not_there_gives_no_verdict() {
    let Some(abc) = require::<Abc>() else { return };
    let folder = tempfile::tempdir().unwrap();
    assert!(abc.pdr(&folder.path().join("missing.aig"), LIMIT).is_err());
}
