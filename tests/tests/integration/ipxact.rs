//! The IP-XACT component, held to the schema of the standard, to the module as slang reads it, and to
//! the manifest.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use turnpike_fabric::plan::{Parameters, ResetStyle};
use turnpike_fabric::testing::{ENDS_FABRICS, plan_with_ends};
use turnpike_tests::fabric::Fabric;
use turnpike_tests::ipxact::Ipxact;
use turnpike_tests::require;

use crate::integration::{fabrics, manifest};

/// The component of a fabric.
fn component(fabric: &Fabric) -> std::path::PathBuf {
    fabric.folder().join(format!("{}.xml", fabric.plan.name))
}

/// Bits `[high, low]` as numbers.
fn bits(map: &Value, key: &str) -> (u64, u64) {
    let end = |at: usize| map[key][at].as_u64().unwrap();
    assert!(end(0) >= end(1), "{map}");
    (end(0), end(1))
}

/// Every stream of the manifest is a bus interface, which maps its bits of its ports.
#[test]
fn the_component_is_that_of_the_module() {
    let Some(ipxact) = require::<Ipxact>() else { return };
    for fabric in fabrics() {
        let (manifest, name) = (manifest(&fabric), &fabric.plan.name);
        let read = ipxact.read(&component(&fabric), &fabric.sources());
        assert_eq!(read["errors"], json!([]), "{name}");
        assert_eq!(read["ports"], read["module"], "{name}");
        assert!(read["core"].as_str().unwrap().starts_with(&format!("turnpike:fabric:{name}:")));
        let mut files = manifest["files"].as_array().unwrap().clone();
        files.extend(["addresses", "instance"].map(|stem| json!(format!("{name}_{stem}.vh"))));
        assert_eq!(read["files"], json!(files));

        let interfaces = read["interfaces"].as_object().unwrap();
        // How often each bit of a port is mapped.
        let mut mapped: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (interface_name, interface) in interfaces {
            let [bus, version] = match interface_name.as_str() {
                "s_axil" => ["AXI4-Lite", "r0p0_0"],
                _ => ["AXI4Stream", "r0p0_1"],
            };
            assert_eq!(interface["type"], json!(["amba.com", "AMBA4", bus, version]));
            for (logical, map) in interface["maps"].as_object().unwrap() {
                let port = map["port"].as_str().unwrap();
                let ((high, low), logical_bits) = (bits(map, "bits"), bits(map, "logical"));
                assert_eq!(logical_bits, (high - low, 0), "{name}: {logical} of {map}");
                let width = read["module"][port][1].as_u64().unwrap();
                let all = mapped.entry(port.to_owned()).or_insert_with(|| vec![0; width as usize]);
                all[low as usize..=high as usize].iter_mut().for_each(|bit| *bit += 1);
                assert_eq!(map["inverted"], (port == "rst"), "{name}: {map}");
            }
        }
        for port in read["module"].as_object().unwrap().keys() {
            let common = ["clk", "rst", "aresetn"].contains(&port.as_str());
            let times = if common { interfaces.len() as u32 } else { 1 };
            match port.ends_with("_error") || port == "hang" {
                true => assert!(!mapped.contains_key(port), "{name}: {port}"),
                false => assert!(mapped[port].iter().all(|bit| *bit == times), "{name}: {port}"),
            }
        }

        let mut streams = 0;
        for terminal in manifest["terminals"].as_array().unwrap() {
            for (side, mode, valid) in [("s_axis", "slave", "in"), ("m_axis", "master", "out")] {
                let stream = &terminal[side];
                let Some(ports) = stream["ports"].as_str() else { continue };
                streams += 1;
                let width = terminal["width"].as_u64().unwrap();
                let low = stream["slice"].as_u64().unwrap_or(0) * width;
                let is_of = |interface: &&Value| {
                    let data = &interface["maps"]["TDATA"];
                    data["port"] == format!("{ports}_tdata")
                        && data["bits"] == json!([low + width - 1, low])
                };
                let found: Vec<_> = interfaces.values().filter(is_of).collect();
                assert_eq!(found.len(), 1, "{name}: {terminal}");
                assert_eq!(found[0]["mode"], json!([mode]), "{name}: {terminal}");
                assert_eq!(read["module"][format!("{ports}_tvalid")][0], valid, "{name}");
            }
        }
        let counters = read["module"].get("hang").is_some();
        if counters {
            assert_eq!(interfaces["s_axil"]["mode"], json!(["slave"]), "{name}");
            assert_eq!(interfaces["s_axil"]["maps"]["AWADDR"]["port"], "s_axil_awaddr", "{name}");
        }
        assert_eq!(interfaces.len(), streams + usize::from(counters), "{name}");
    }
}

/// Number of a manifest, `0x1000`.
fn number(text: &Value) -> u64 {
    u64::from_str_radix(text.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

/// Bus of a protocol and its version; `None` of one without a definition.
fn bus_of(protocol: &Value) -> Option<[&'static str; 4]> {
    let [name, version] = match protocol.as_str().unwrap() {
        "axi4" => ["AXI4", "r0p0_0"],
        "axi4-lite" => ["AXI4-Lite", "r0p0_0"],
        "apb" => ["APB4", "r0p0_0"],
        _ => return None,
    };
    Some(["amba.com", "AMBA4", name, version])
}

/// The interface of an end has its ports, each once, by the names of the definition.
fn is_of_end(read: &Value, ports: &str, [_, _, bus, _]: [&str; 4]) {
    let maps = read["interfaces"][ports]["maps"].as_object().unwrap();
    let mut mapped: Vec<(&str, &str)> = maps
        .iter()
        .map(|(logical, map)| (logical.as_str(), map["port"].as_str().unwrap()))
        .collect();
    let begin = format!("{ports}_");
    let all = read["module"].as_object().unwrap().keys().filter(|port| port.starts_with(&begin));
    let logical = |port: &String| match &port[begin.len()..] {
        "psel" => "PSELx".to_owned(),
        signal => signal.to_ascii_uppercase(),
    };
    let wanted: Vec<(String, &String)> = all.map(|port| (logical(port), port)).collect();
    let reset = if read["module"].get("rst").is_some() { "rst" } else { "aresetn" };
    let common = match bus {
        "APB4" => [("PCLK", "clk"), ("PRESETn", reset)],
        _ => [("ACLK", "clk"), ("ARESETn", reset)],
    };
    let mut wanted: Vec<(&str, &str)> =
        wanted.iter().map(|(logical, port)| (&**logical, &***port)).chain(common).collect();
    wanted.sort_unstable();
    mapped.sort_unstable();
    assert_eq!(mapped, wanted, "{ports}");
    for (logical, map) in maps {
        let port = map["port"].as_str().unwrap();
        let width = read["module"][port][1].as_u64().unwrap();
        assert_eq!(bits(map, "logical"), (width - 1, 0), "{ports}: {logical}");
        assert_eq!(map["inverted"], (port == "rst"), "{ports}: {logical}");
    }
}

/// Every end of the manifest is a bus interface where its protocol has a definition; a manager's has the
/// addresses that it reaches.
#[test]
fn interfaces_of_ends_are_those_of_their_protocols() {
    let Some(ipxact) = require::<Ipxact>() else { return };
    let wishbone =
        "name,protocol,role,range\n0,wishbone,manager,\n1,wishbone,subordinate,0..0xfff\n";
    let some = [0, 2, 5, 6, 7].map(|at| ENDS_FABRICS[at]).into_iter();
    for (at, ends) in some.chain([("hypercube 1 ecube", wishbone)]).enumerate() {
        let reset = if at == 0 { ResetStyle::Low } else { ResetStyle::High };
        let parameters = Parameters { reset, ..Parameters::default() };
        let fabric = Fabric::of_plan(plan_with_ends(ends, parameters));
        let (manifest, name) = (manifest(&fabric), &fabric.plan.name);
        let read = ipxact.read(&component(&fabric), &fabric.sources());
        assert_eq!(read["errors"], json!([]), "{name}");
        assert_eq!(read["ports"], read["module"], "{name}");
        let mut files = manifest["files"].as_array().unwrap().clone();
        files.extend(["memory_map", "instance"].map(|stem| json!(format!("{name}_{stem}.vh"))));
        assert_eq!(read["files"], json!(files));

        let list = |role: &str| manifest["ends"][role].as_array().unwrap().clone();
        let (managers, subordinates) = (list("managers"), list("subordinates"));
        let sides = [(&managers, "slave"), (&subordinates, "master")];
        let ends = sides.into_iter().flat_map(|(ends, mode)| ends.iter().map(move |e| (e, mode)));
        let mut interfaces = 0;
        for (end, mode) in ends {
            let Some(bus) = bus_of(&end["protocol"]) else { continue };
            interfaces += 1;
            let ports = end["ports"].as_str().unwrap();
            assert_eq!(read["interfaces"][ports]["type"], json!(bus), "{name}: {ports}");
            assert_eq!(read["interfaces"][ports]["mode"], json!([mode]), "{name}: {ports}");
            is_of_end(&read, ports, bus);
        }
        assert_eq!(read["interfaces"].as_object().unwrap().len(), interfaces, "{name}");

        for manager in managers.iter().filter(|end| bus_of(&end["protocol"]).is_some()) {
            let is_reached =
                |end: &&Value| manager["reach"].as_array().unwrap().contains(&end["name"]);
            let parts = subordinates.iter().filter(is_reached).flat_map(|end| {
                let port = bus_of(&end["protocol"]).map(|_| end["ports"].clone());
                end["ranges"].as_array().unwrap().iter().map(move |range| {
                    let [first, last] = ["first", "last"].map(|key| number(&range[key]));
                    json!([port, first, last - first + 1])
                })
            });
            let mut wanted: Vec<Value> = parts.collect();
            let ports = manager["ports"].as_str().unwrap();
            let mut found = read["maps"][ports].as_array().unwrap().clone();
            wanted.sort_by_key(|part| part[1].as_u64());
            found.sort_by_key(|part| part[1].as_u64());
            assert_eq!(found, wanted, "{name}: {ports}");
        }
        let maps = managers.iter().filter(|end| bus_of(&end["protocol"]).is_some()).count();
        assert_eq!(read["maps"].as_object().unwrap().len(), maps, "{name}");
    }
}

/// The schema is really asked.
#[test]
fn a_component_that_is_none_is_found() {
    let Some(ipxact) = require::<Ipxact>() else { return };
    let fabric = Fabric::of("hypercube 1 ecube", Default::default());
    let path = component(&fabric);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("partSelect>", "partSelected>")).unwrap();
    let read = ipxact.read(&path, &fabric.sources());
    assert!(read["errors"][0].as_str().unwrap().contains("partSelected"), "{}", read["errors"]);
}
