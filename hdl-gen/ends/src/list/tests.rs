//! Tests of lists of ends.

use super::*;

const HEAD: &str = "name,protocol,role,range,reach\n";

#[test]
fn a_list_reads_back() {
    let text = format!(
        "{HEAD}cpu0,axi4,manager,,\ncpu1,axi4,manager,,d*\n\
         ddr,axi4,subordinate,0x8000_0000..0xBFFF_FFFF 0..4095,\nuart,axi4,subordinate,0x1000..0x1fff,\n"
    );
    let ends = Ends::parse(&text).unwrap();
    assert_eq!([&ends.managers[0].reach[..], &ends.managers[1].reach[..]], [&[0, 1][..], &[0]]);
    assert_eq!((ends.data_width, ends.address_bits), (32, 32));
    let lineless = |ends: &Ends| (ends.text(), ends.managers.len(), ends.subordinates.len());
    let again = Ends::parse(&ends.text()).unwrap();
    assert_eq!(lineless(&again), lineless(&ends));
}

/// Ends of every protocol, of unlike widths: the network is as wide as the widest.
#[test]
fn every_protocol_has_its_columns() {
    let head = "name,protocol,role,data-width,id-width,outstanding,burst,range\n";
    let text = format!(
        "{head}cpu,axi4,manager,64,2,4,16,\na,axi4-lite,manager,32,,2,,\nb,apb,manager,,,,,\n\
         c,wishbone,manager,16,,,,\nd,wishbone-pipelined,manager,8,,,,\n\
         m,apb,subordinate,16,,,,0..4095\nn,axi4-lite,subordinate,64,,4,,4096..8191\n"
    );
    let ends = Ends::parse(&text).unwrap();
    assert_eq!(ends.data_width, 64);
    let managers = ends.managers.iter().map(|end| (end.id_width, end.outstanding, end.burst));
    let single = [(1, 2, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)];
    assert_eq!(managers.collect::<Vec<_>>(), [&[(2, 4, 16)][..], &single].concat());
    assert_eq!(ends.subordinates.iter().map(|end| end.outstanding).sum::<u32>(), 6);
    let again = Ends::parse(&ends.text()).unwrap();
    assert_eq!((again.text(), again.data_width), (ends.text(), 64));
    for (line, wanted) in [
        ("x,apb,manager,64,,,,", "data-width 64 is none of APB; use 8, 16 or 32"),
        ("x,axi4-lite,manager,,4,,,", "speaks AXI4-Lite: it has no IDs; leave id-width out"),
        ("x,wishbone,manager,,,2,,", "Wishbone: one transfer is in flight at a time"),
        ("x,axi4-lite,manager,,,,4,", "leave burst out"),
        ("x,apb,subordinate,,,,,0xFFFF_F000..0x1_0000_0FFF", "addresses of 32 bits"),
    ] {
        let error = Ends::parse(&format!("{text}{line}\n")).unwrap_err().to_string();
        assert!(error.contains(wanted), "{line}: {error}");
    }
}

/// Addresses of APB have 32 bits: what is above them it does not reach, and nothing is built for that.
#[test]
fn short_addresses_reach_what_they_can() {
    let list = |reach: &str, last: &str| {
        format!(
            "{HEAD}cpu,axi4,manager,,\ndbg,apb,manager,,{reach}\nhigh,axi4,subordinate,0x1_0000_0000..0x1_0000_0fff,\n\
             both,axi4,subordinate,0..0xfff 0x2_0000_0000..0x2_0000_0fff,\n{last}"
        )
    };
    for reach in ["", "*", "both"] {
        assert_eq!(Ends::parse(&list(reach, "")).unwrap().managers[1].reach, [1], "{reach}");
    }
    let error = Ends::parse(&list("hi*", "")).unwrap_err().to_string();
    assert!(error.contains("'hi*', whose addresses are above the 32 bits that APB has"), "{error}");
    let only =
        format!("{HEAD}dbg,apb,manager,,\nhigh,apb,subordinate,0x1_0000_0000..0x1_0000_0fff,\n");
    let error = Ends::parse(&only).unwrap_err();
    assert_eq!(error.line, Some(2), "{error}");
}

#[test]
fn wrong_lists_are_refused() {
    let good = "cpu,axi4,manager,,\nmem,axi4,subordinate,0..4095,\n";
    for (text, wanted) in [
        (
            "cpu,axi5,manager,,\n",
            "line 2: terminal cpu: protocol 'axi5' is not known; use axi4, axi4-lite, apb, wishbone or wishbone-pipelined",
        ),
        ("cpu,axi4,master,,\n", "role 'master'"),
        ("cpu,axi4,manager,0..4095,\n", "leave range out"),
        ("mem,axi4,subordinate,,\n", "say what it answers"),
        ("mem,axi4,subordinate,0..4095,cpu\n", "leave reach out"),
        ("mem,axi4,subordinate,1..4095,\n", "whole pages"),
        ("mem,axi4,subordinate,0..4096,\n", "whole pages"),
        ("mem,axi4,subordinate,4095,\n", "is no range"),
        ("cpu,axi4,manager,,\n", "no subordinate"),
        ("mem,axi4,subordinate,0..4095,\n", "no manager reaches terminal mem"),
        (&format!("{good}cpu,axi4,manager,,\n"), "stands in line 2 already"),
        (&format!("{good}m2,axi4,subordinate,0..8191,\n"), "overlap"),
        (&format!("{good}c2,axi4,manager,,men\n"), "did you mean 'mem'?"),
        ("", "no subordinate"),
    ] {
        let error = Ends::parse(&format!("{HEAD}{text}")).unwrap_err().to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    let numbers = "name,protocol,role,data-width,id-width,outstanding,burst,range\n";
    let answers = "mem,axi4,subordinate,32,,,,0..4095\n";
    for (values, wanted) in [
        ("12,4,8,16", "data-width 12 is none"),
        ("32,0,8,16", "id-width 0 is out of range"),
        ("32,4,1024,16", "outstanding 1024 is out of range; use 1 to 64"),
        ("32,4,8,257", "burst 257 is out of range"),
        ("32,x,8,16", "'x' is no whole number"),
    ] {
        let error =
            Ends::parse(&format!("{numbers}cpu,axi4,manager,{values},\n{answers}")).unwrap_err();
        assert!(error.to_string().contains(wanted), "{values}: {error}");
    }
}
