//! Files of networks that somebody else made, and certificates.

use crate::common::fuzz::fuzz;
use turnpike_audit::readers::{self, Reading};
use turnpike_audit::traffic::Traffic;
use turnpike_audit::verdict::{Switching, verdict};

/// A file of routes, or of a network with them, is refused, or audited; a network is then read again from
/// its next hops.
fn audited(format: &'static str, count: u32, network: &[&str], routes: &[&str], words: &[&str]) {
    let format = readers::Format::named(format).expect("a format");
    let examples = if routes.is_empty() { network } else { routes };
    let fixed =
        if routes.is_empty() { None } else { network.first().map(|text| (*text).to_owned()) };
    fuzz(format.name, count, examples, words, move |bytes| {
        let input = |bytes| readers::Input { name: "fuzz.dot", bytes };
        let inputs = match &fixed {
            Some(network) => {
                let network = input(network.as_bytes());
                readers::Inputs { network, routes: Some(input(bytes)) }
            }
            None => readers::Inputs { network: input(bytes), routes: None },
        };
        match format.read(&inputs) {
            Err(error) => drop(error.to_string()),
            Ok(Reading { routed, traffic, .. }) => {
                let traffic = traffic.unwrap_or_else(Traffic::all_to_all);
                if let Err(error) = verdict(&routed, &traffic, Switching::Wormhole) {
                    drop(error.to_string());
                }
                drop(readers::save(&routed));
            }
        }
    });
}

pub fn next_hops(count: u32) {
    let network = "graph net { a -- b -- c -- a; a -- b }";
    let routes = "switch,destination,next,input\na,b,p0,\na,b,p1:1,inject\na,c,c,\nb,a,p0,c:1\nb,c,c,\nc,a,a,\nc,b,b,\n";
    audited(
        "csv",
        count,
        &[network],
        &[routes],
        &["inject", ":63", ":64", "switch", "p0", "\"", "#"],
    );
}

pub fn floogen(count: u32) {
    let top = "module two (\nlocalparam id_t E0_ID = id_t'(0);\nlocalparam id_t E1_ID = '{x: 1, y: 0, port_id: 0};\n\
        localparam route_map_rule_t[1:0] M = '{\n'{ idx: 0,\n start_addr: 0,\n end_addr: 9} // x\n};\n\
        assign r0_in[0] = e0_r0;\nassign r0_in[1] = r1_r0;\nassign r0_e0 = r0_out[0];\nassign r0_r1 = r0_out[1];\n\
        assign r1_in[0] = e1_r1;\nassign r1_in[1] = r0_r1;\nassign r1_e1 = r1_out[0];\nassign r1_r0 = r1_out[1];\n\
        floo_axi_chimney #(\n.Cfg(set_ports(C, 1'b1, 1'b1)),\n) e0 (\n.id_i (E0_ID),\n.floo_req_o (e0_r0),\n.floo_req_i (r0_e0)\n);\n\
        floo_axi_chimney #(\n) e1 (\n.id_i (E1_ID),\n.floo_req_o (e1_r1),\n.floo_req_i (r1_e1)\n);\n\
        floo_axi_router #(\n.RouteAlgo (IdTable),\n.NumRoutes (2),\n) r0 (\n.id_i (E0_ID),\n.id_route_map_i (M),\n.floo_req_i (r0_in),\n.floo_req_o (r0_out)\n);\n\
        floo_axi_router #(\n.RouteAlgo (XYRouting),\n.NumRoutes (2),\n) r1 (\n.id_i (E1_ID),\n.id_route_map_i ('0),\n.floo_req_i (r1_in),\n.floo_req_o (r1_out)\n);\n";
    let words = ["SourceRouting", "4294967295", "'{", "};", ");", "port_id", "floo_wide_o", "[3]"];
    audited("floogen", count, &[top], &[], &words);
}

pub fn opensm(count: u32) {
    let network = "Switch 36 \"S-a1\" # lid 10\n[1] \"H-b1\"[1](b2) # lid 1\n[2] \"S-a2\"[5] # lid 11\n\
        Switch 36 \"S-a2\" # lid 11\n[1] \"H-c1\"[1] # lid 2\n[5] \"S-a1\"[2] # lid 10\n\
        Ca 1 \"H-b1\"\n[1](b2) \"S-a1\"[1] # lid 1 lmc 0\nCa 1 \"H-c1\"\n[1] \"S-a2\"[1] # lid 2 lmc 1\n";
    let tables = "Unicast lids [0-9] of switch Lid 10 guid 0xa1 (x):\n0x0001 001 # x\n0x0002 002\n\
        Unicast lids [0-9] of switch Lid 11 guid 0xa2 (x):\n0x0001 005\n0x0002 001\n2 lids dumped\n";
    let words = ["0xffffffff", "lid", "lmc", "\"", "[", "guid", "UNREACHABLE", "Switch", "Ca"];
    audited("opensm", count, &[network], &[tables], &words);
    audited("opensm", count / 4, &[network, tables], &[tables], &words);
}

pub fn garnet(count: u32) {
    let links = "link,from,to,weight\n# one\next,n0,r0,1\next,n1,r1,1\nint,r0,r1,1\nint,r1,r0,2\nint,r0,r1,1\n";
    audited("garnet", count, &[links], &[], &["int", "ext", "4294967296", "0", "r0", "\""]);
}

pub fn certificate(count: u32) {
    let text = "turnpike-certificate 1\nnetwork n\nswitching wormhole\nrule escape\ncondition c\n\
        switch a\nswitch b\nterminal 0 0 a\nterminal 1 1 b\nclass - x\nclass 0 y\n\
        channel 0 1 0 1 1 escape\nchannel 1 0 0 0 5 escape\nsink 1 0 4\ninject 0 0 0\ninject 0 1 1\n\
        inject 1 0 0\ninject 1 1 1\nflow 0 1 0\nflow 1 0 1\ntable 1:0\ntable 0:1\nend 22\n";
    assert_eq!(turnpike_audit::certificate::check(text).map(|checked| checked.channels), Ok(2));
    let words = ["end 22", "-", "escape", "1:0,1", "flows all", "999999999999999999"];
    fuzz("certificate", count, &[text], &words, |bytes| {
        if let Err(flaw) = turnpike_audit::certificate::check(&String::from_utf8_lossy(bytes)) {
            drop(flaw.to_string());
        }
    });
}
