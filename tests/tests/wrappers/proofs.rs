//! Proofs: what holds is proved, and what does not is refuted at the right cycle.

use std::fs;

use turnpike_tests::abc::{Abc, Verdict};
use turnpike_tests::process::LIMIT;
use turnpike_tests::require;
use turnpike_tests::yosys::Yosys;

/// Counts 0 to 9 and starts again; `LIMIT` is never passed, or is.
const DECADE: &str = "\
module decade (input wire clk);
  reg [3:0] count = 4'd0;
  always @(posedge clk) count <= count == 4'd9 ? 4'd0 : count + 4'd1;
  always @* assert (count < LIMIT);
endmodule
";

const SCRIPT: &str = "\
# Reads the assertion as formal tools do and writes it as a graph.
read_verilog -formal decade.v
prep -flatten -top decade
async2sync
chformal -lower
dffunmap
formalff -clk2ff -ff2anyinit
opt -full
techmap
aigmap
opt_clean
write_aiger decade.aig
";

#[test]
fn abc_proves_and_refutes() {
    let (Some(yosys), Some(abc)) = (require::<Yosys>(), require::<Abc>()) else { return };
    for (limit, wanted) in [("10", Verdict::Proved), ("9", Verdict::Failed { cycle: 9 })] {
        let folder = tempfile::tempdir().unwrap();
        let text = DECADE.replace("LIMIT", &format!("4'd{limit}"));
        fs::write(folder.path().join("decade.v"), text).unwrap();
        yosys.run(SCRIPT, folder.path(), LIMIT).assert_clean();
        let verdict = abc.pdr(&folder.path().join("decade.aig"), LIMIT);
        assert_eq!(verdict.unwrap_or_else(|report| panic!("{report}")), wanted);
    }
}

#[test]
fn a_graph_that_is_not_there_gives_no_verdict() {
    let Some(abc) = require::<Abc>() else { return };
    let folder = tempfile::tempdir().unwrap();
    assert!(abc.pdr(&folder.path().join("missing.aig"), LIMIT).is_err());
}
