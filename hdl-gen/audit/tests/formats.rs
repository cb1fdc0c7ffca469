//! The formats of others, on small files of each.

use crate::common::read;
use turnpike_audit::model::Routed;
use turnpike_audit::readers::Reading;
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Rule, Switching, Verdict, verdict};

/// Switches that packets from one switch to a terminal come by.
fn route(routed: &Routed, from: &str, to: &str) -> Vec<String> {
    let switch = |name: &str| routed.switches.iter().position(|own| own == name).unwrap() as u32;
    let to = routed.terminals.iter().position(|own| own.name == to).unwrap() as u32;
    let mut at = switch(from);
    let mut names = vec![from.to_owned()];
    let mut table = routed.injection(0, at);
    while Some(at) != routed.terminals[to as usize].sink {
        let next = routed.tables.next(table, to)[0] as usize;
        (at, table) = (routed.channels[next].to, routed.of_channel[next]);
        names.push(routed.switches[at as usize].clone());
    }
    names
}

fn found(reading: &Reading) -> Verdict {
    verdict(&reading.routed, &Traffic::all_to_all(), Switching::Wormhole).unwrap()
}

/// Least numbers among equal ways, latencies one way, and what a line repeats.
#[test]
fn booksim_finds_its_shortest_ways() {
    let square = "router 0 node 0 router 1 router 2\nrouter 3 node 3 router 2 router 1\n\
        router 1 node 1\nrouter 2 node 2\n";
    let routed = read("booksim", ("n.anynet", square), None).unwrap().routed;
    // Both ways have two hops: the router with the least number comes first.
    assert_eq!(route(&routed, "0", "t3"), ["0", "1", "3"]);
    assert_eq!(route(&routed, "3", "t0"), ["3", "1", "0"]);
    // A latency is of the channel from the router of its line alone.
    let slow = square.replace("router 1 router 2\nrouter 3", "router 1 5 router 2\nrouter 3");
    let routed = read("booksim", ("n.anynet", &slow), None).unwrap().routed;
    assert_eq!(route(&routed, "0", "t3"), ["0", "2", "3"]);
    assert_eq!(route(&routed, "0", "t1"), ["0", "2", "3", "1"]);
    assert_eq!(route(&routed, "1", "t0"), ["1", "0"]);
    let ring: String =
        (0..6).map(|at| format!("router {at} node {at} router {}\n", (at + 1) % 6)).collect();
    let reading = read("booksim", ("n.anynet", &ring), None).unwrap();
    assert!(matches!(found(&reading), Verdict::Deadlock(_)));
}

#[test]
fn relations_of_turnpike() {
    let e_cube = "turnpike-relation 1\nname low_first\ntopology hypercube\ndimension 3\nby difference\n\
        001 dim0\n010 dim1\n011 dim0\n100 dim2\n101 dim0\n110 dim1\n111 dim0\n";
    let reading = read("relation", ("r.relation", e_cube), None).unwrap();
    assert_eq!(route(&reading.routed, "000", "110"), ["000", "010", "110"]);
    assert!(matches!(found(&reading), Verdict::Free(_)));
    let rotation = e_cube.replace("101 dim0", "101 dim2");
    let reading = read("relation", ("r.relation", &rotation), None).unwrap();
    assert!(matches!(found(&reading), Verdict::Deadlock(_)));
    let error = read("relation", ("r.relation", &e_cube.replace("110 dim1", "110 dim7")), None);
    let error = error.unwrap_err();
    assert_eq!(error.line, Some(11));
    assert!(error.to_string().contains("unknown port 'dim7'"), "{error}");
}

const IB: &str = "#\n# Topology file\n\nvendid=0x2c9\nswitchguid=0xa1(a1)\n\
    Switch\t36 \"S-00000000000000a1\"\t\t# \"sw1\" enhanced port 0 lid 10 lmc 0\n\
    [1]\t\"H-00000000000000b1\"[1](b2) \t\t# \"n1 HCA-1\" lid 1 4xQDR\n\
    [2]\t\"S-00000000000000a2\"[5]\t\t# \"sw2\" lid 11 4xQDR\n\n\
    switchguid=0xa2(a2)\n\
    Switch\t36 \"S-00000000000000a2\"\t\t# \"sw2\" enhanced port 0 lid 11 lmc 0\n\
    [1]\t\"H-00000000000000c1\"[1](c2) \t\t# \"n2 HCA-1\" lid 2 4xQDR\n\
    [5]\t\"S-00000000000000a1\"[2]\t\t# \"sw1\" lid 10 4xQDR\n\n\
    caguid=0xb1\nCa\t1 \"H-00000000000000b1\"\t\t# \"n1 HCA-1\"\n\
    [1](b2) \t\"S-00000000000000a1\"[1]\t\t# lid 1 lmc 0 \"sw1\" lid 10 4xQDR\n\n\
    caguid=0xc1\nCa\t1 \"H-00000000000000c1\"\t\t# \"n2 HCA-1\"\n\
    [1](c2) \t\"S-00000000000000a2\"[1]\t\t# lid 2 lmc 0 \"sw2\" lid 11 4xQDR\n";
const LFTS: &str = "Unicast lids [0x0-0xb] of switch Lid 10 guid 0x00000000000000a1 (sw1):\n\
    0x0001 001 # Channel Adapter portguid 0xb2: 'n1 HCA-1'\n\
    0x0002 002 # Channel Adapter portguid 0xc2: 'n2 HCA-1'\n\
    0x000a 000 # Switch portguid 0xa1: 'sw1'\n3 lids dumped\n\
    Unicast lids [0x0-0xb] of switch Lid 11 guid 0x00000000000000a2 (sw2):\n\
    0x0001 005 # Channel Adapter portguid 0xb2: 'n1 HCA-1'\n\
    0x0002 001 # Channel Adapter portguid 0xc2: 'n2 HCA-1'\n2 lids dumped\n";

#[test]
fn subnets_of_opensm() {
    let reading = read("opensm", ("ib.txt", IB), Some(("lfts.txt", LFTS))).unwrap();
    assert_eq!((reading.routed.switches.len(), reading.routed.channels.len()), (2, 2));
    let way = route(&reading.routed, "S-00000000000000a1", "H-00000000000000c1:1");
    assert_eq!(way, ["S-00000000000000a1", "S-00000000000000a2"]);
    assert!(matches!(found(&reading), Verdict::Free(_)));
    let wrong = |network: &str, routes: &str| {
        let reading = read("opensm", ("ib.txt", network), Some(("lfts.txt", routes)));
        match reading {
            Err(error) => error.to_string(),
            Ok(reading) => {
                let all = Traffic::all_to_all();
                verdict(&reading.routed, &all, Switching::Wormhole).unwrap_err().to_string()
            }
        }
    };
    for (network, routes, expected) in [
        (
            IB,
            &*LFTS.replace("0x0002 002", "0x0002 001"),
            "go to H-00000000000000b1:1 at S-00000000000000a1",
        ),
        (
            IB,
            &*LFTS.replace("0x0002 002", "0x0002 UNREACHABLE"),
            "no next hop at S-00000000000000a1",
        ),
        (IB, &*LFTS.replace("00a2 (", "00a3 ("), "line 6: the network has no switch of this guid"),
        (IB, "", "no next hops; give 'Unicast lids"),
        ("", LFTS, "give the text that ibnetdiscover prints"),
        (&*IB.replace("# lid 2", "# lid 1"), LFTS, "lid 1 is that of H-00000000000000b1:1 already"),
    ] {
        let error = wrong(network, routes);
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// A mesh by Garnet's weights: X links before Y links where they weigh less; free to choose where all
/// weigh the same.
#[test]
fn weights_of_garnet() {
    let mesh = |y_weight: u32| {
        let mut text = "link,from,to,weight\n".to_owned();
        for at in 0..9 {
            text += &format!("ext,n{at},r{at},1\n");
            if at % 3 < 2 {
                text += &format!("int,r{at},r{0},1\nint,r{0},r{at},1\n", at + 1);
            }
            if at < 6 {
                text += &format!("int,r{at},r{0},{y_weight}\nint,r{0},r{at},{y_weight}\n", at + 3);
            }
        }
        read("garnet", ("mesh.csv", &text), None)
    };
    let reading = mesh(2).unwrap();
    assert_eq!(reading.routed.channels.len(), 24);
    assert_eq!(route(&reading.routed, "r0", "n8"), ["r0", "r1", "r2", "r5", "r8"]);
    assert!(!reading.routed.is_adaptive());
    assert!(matches!(found(&reading), Verdict::Free(proof) if proof.rule == Rule::All));
    let reading = mesh(1).unwrap();
    assert!(reading.routed.is_adaptive());
    assert!(matches!(found(&reading), Verdict::Deadlock(_)));
    for (text, expected) in [
        ("", "give link,from,to,weight"),
        ("link,from,to\n", "line 1: begin with a line"),
        ("link,from,to,weight\nint,a,b\n", "line 2: 3 fields where there are 4 columns"),
        ("link,from,to,weight\nint,a,b,0\n", "line 2: a weight is a whole number from 1"),
        ("link,from,to,weight\n\n# to b\nint,a,b,0\n", "line 4: a weight is a whole number"),
        ("link,from,to,weight\nlink,a,b,1\n", "line 2: 'link' is no link: use int or ext"),
        ("link,from,to,weight\next,a,b,1\next,a,b,1\n", "line 3: there is a terminal 'a' already"),
    ] {
        let error = read("garnet", ("mesh.csv", text), None).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// Two routers and two interfaces, as FlooGen lays them out; the first sends to the other by this port.
fn floonoc(first: &str) -> String {
    let mut text = "module floo_two_noc\n  import floo_pkg::*;\n".to_owned();
    for at in 0..2 {
        let other = 1 - at;
        let port = if at == 0 { first } else { "1" };
        let [end, other_end] = [at + 1, other + 1];
        text += &format!(
            "localparam id_t EP_NI_{at}_ID = id_t'({at});\n\
             localparam route_map_rule_t[1:0] R{at}Map = '{{\n'{{    idx: 0,\n    start_addr: {at},\n    \
             end_addr: {end}}},// own\n'{{    idx: {port},\n    start_addr: {other},\n    end_addr: {other_end}}} // other\n\n}};\n"
        );
        for net in ["req", "rsp"] {
            text += &format!(
                "assign r_{at}_{net}_in[0] = ep_{at}_to_r_{at}_{net};\n\
                 assign r_{at}_{net}_in[1] = r_{other}_to_r_{at}_{net};\n\
                 assign r_{at}_to_ep_{at}_{net} = r_{at}_{net}_out[0];\n\
                 assign r_{at}_to_r_{other}_{net} = r_{at}_{net}_out[1];\n"
            );
        }
        text += &format!(
            "floo_axi_chimney  #(\n  .ChimneyCfg(set_ports(ChimneyDefaultCfg, 1'b1, 1'b1)),\n) ep_ni_{at} (\n  \
             .id_i             ( EP_NI_{at}_ID       ),\n  \
             .floo_req_o       ( ep_{at}_to_r_{at}_req   ),\n  \
             .floo_rsp_o       ( ep_{at}_to_r_{at}_rsp   ),\n  \
             .floo_req_i       ( r_{at}_to_ep_{at}_req   ),\n  \
             .floo_rsp_i       ( r_{at}_to_ep_{at}_rsp   )\n);\n\
             floo_axi_router #(\n  .RouteAlgo (IdTable),\n  .NumRoutes (2),\n) r_{at} (\n  .id_i ('0),\n  \
             .id_route_map_i (R{at}Map),\n  .floo_req_i (r_{at}_req_in),\n  .floo_rsp_o (r_{at}_rsp_out),\n  \
             .floo_req_o (r_{at}_req_out),\n  .floo_rsp_i (r_{at}_rsp_in)\n);\n"
        );
    }
    text + "endmodule\n"
}

#[test]
fn tables_of_floogen() {
    let reading = read("floogen", ("two.sv", &floonoc("1")), None).unwrap();
    assert_eq!((reading.routed.switches.len(), reading.routed.channels.len()), (2, 4));
    assert_eq!(route(&reading.routed, "r_0", "ep_ni_1"), ["r_0", "r_1"]);
    let traffic = reading.traffic.clone().unwrap();
    assert_eq!(traffic.class_count(), 2);
    let found = verdict(&reading.routed, &traffic, Switching::Wormhole).unwrap();
    assert!(matches!(found, Verdict::Free(_)), "{found:?}");
    let reading = read("floogen", ("two.sv", &floonoc("0")), None).unwrap();
    let error = verdict(&reading.routed, &traffic, Switching::Wormhole).unwrap_err().to_string();
    assert!(error.contains("packets from ep_ni_0 to ep_ni_1 go to ep_ni_0 at r_0"), "{error}");
    let error = read("floogen", ("two.sv", "module x;\nendmodule\n"), None).unwrap_err();
    assert!(error.to_string().contains("the top module that FlooGen writes"), "{error}");
}
