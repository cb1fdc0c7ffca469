//! Networks whose names of nodes, ports and terminals meet in the Verilog: every command takes them.

use crate::common::run_in;
use std::fs;

/// Files in which names meet, each in a way of its own, and what the manifest says of it.
const FILES: [(&str, &str, &[&str]); 5] = [
    // `a` with port `b_c`, and `a_b` with port `c`.
    (
        "joined.topology",
        "turnpike-topology 1\nname joined\nnode a a_b d e\nterminal x a\nterminal y a_b\n\
         terminal z d\nterminal w e\nlink a.b_c d.k\nlink a_b.c e.k\nlink d.x e.y\n",
        &[],
    ),
    // The queue of port `p_in` has a `p_in_valid`, as port `p` has.
    (
        "port_in.topology",
        "turnpike-topology 1\nname port_in\nnode a b c\nterminal x a\nterminal y b\n\
         terminal z c\nlink a.p b.p\nlink a.p_in c.p\n",
        &[],
    ),
    // Virtual channel 1 of port `x`, and port `x_vc1`.
    (
        "vc.topology",
        "turnpike-topology 1\nname vc\nnode a b c d e\nterminal t0 a\nterminal t1 b\n\
         terminal t2 c\nterminal t3 d\nterminal t4 e\nlink a.x b.x_vc1\nlink b.x c.x_vc1\n\
         link c.x d.x_vc1\nlink d.x e.x_vc1\nlink e.x a.x_vc1\n",
        &[],
    ),
    // Names that are alike as identifiers.
    (
        "mapped.dot",
        "graph { \"tile\"; \"tile-io\"; \"z\"; \"tile\":\"io_n\" -- \"z\":\"a\";\n\
         \"tile-io\":\"n1\" -- \"z\":\"b\"; \"tile\":\"io_n1\" -- \"tile-io\":\"w1\" }\n",
        &["\"tile_io\": \"tile-io\""],
    ),
    // Terminals, nodes and ports that differ in case alone, or in underscores.
    (
        "alike.topology",
        "turnpike-topology 1\nname alike\nnode a A a__\nterminal cpu a\nterminal CPU A\n\
         terminal cpu_ a__\nlink a.p A.P\nlink A.p_ a__.p\nlink a__.P a.P\n",
        &[
            "\"CPU\": \"CPU_2\"",
            "\"cpu_\": \"cpu_3\"",
            "\"P_2\": \"P\"",
            "\"instance\": \"nA_switch_2\"",
        ],
    ),
];

#[test]
fn every_command_takes_names_that_meet() {
    let folder = tempfile::tempdir().unwrap();
    for (file, text, said) in FILES {
        fs::write(folder.path().join(file), text).unwrap();
        for line in [
            format!("analyze {file}"),
            format!("simulate {file} --load 0.1 --cycles 300 --engine rtl"),
            format!("verify {file}"),
            format!("generate {file} --out out --name fabric --ports named --force"),
        ] {
            let run = run_in(folder.path(), &line);
            assert_eq!(run.code, 0, "{line}: {}{}", run.stdout, run.stderr);
        }
        let manifest = fs::read_to_string(folder.path().join("out/fabric.json")).unwrap();
        for said in said {
            assert!(manifest.contains(said), "{file}: {said} in {manifest}");
        }
    }
}
