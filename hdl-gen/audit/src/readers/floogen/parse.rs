//! Parses the top module that FlooGen writes.

use super::super::error::{Fault, File, ReadError};
use rustc_hash::FxHashMap;
use turnpike_base::numbers::digits;

/// Networks of links, each a message class.
pub const NETWORKS: [&str; 3] = ["req", "rsp", "wide"];

/// A router.
pub struct Router<'a> {
    pub name: &'a str,
    pub algorithm: &'a str,
    /// Name of its position.
    pub id: &'a str,
    /// Name of its table.
    pub map: &'a str,
    pub ports: u32,
    /// By network, then port, the wire that comes in, and the one that goes out.
    pub wires: Vec<[FxHashMap<u32, &'a str>; 2]>,
}

/// A network interface.
pub struct Interface<'a> {
    pub name: &'a str,
    /// Name of its number or position.
    pub id: &'a str,
    pub is_manager: bool,
    pub is_subordinate: bool,
    /// By network, the wire on which it sends, and the one on which it takes.
    pub wires: Vec<[&'a str; 2]>,
    pub line: usize,
}

/// A position in a mesh, with a local port.
pub type Place = (i64, i64, i64);

/// A range of destinations, and the port of packets to them.
pub type Rule = (u64, u64, u32);

/// The top module.
#[derive(Default)]
pub struct Top<'a> {
    pub numbers: FxHashMap<&'a str, u64>,
    pub places: FxHashMap<&'a str, Place>,
    pub maps: FxHashMap<&'a str, Vec<Rule>>,
    pub routers: Vec<Router<'a>>,
    pub interfaces: Vec<Interface<'a>>,
    pub has_wide: bool,
    pub name: &'a str,
}

pub fn syntax(line: usize, what: String) -> ReadError {
    ReadError { file: File::Network, line: Some(line), fault: Box::new(Fault::Syntax(what)) }
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found.trim())
}

/// A number behind a key, such as `idx: 4`.
fn keyed(text: &str, key: &str) -> Option<u64> {
    let rest = text.split_once(key)?.1.trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    digits(&rest[..end])
}

impl<'a> Top<'a> {
    /// Reads the text of a top module.
    ///
    /// # Errors
    /// [`ReadError`] for one without routers or interfaces.
    pub fn read(text: &'a str) -> Result<Self, ReadError> {
        let mut top = Self::default();
        // By name of a bundle and port, the wire.
        let mut inputs: FxHashMap<(&str, u32), &str> = FxHashMap::default();
        let mut outputs: FxHashMap<(&str, u32), &str> = FxHashMap::default();
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("module ") {
                top.name = name.trim();
            } else if let Some(rest) = line.strip_prefix("localparam id_t ") {
                top.id(rest);
            } else if line.starts_with("localparam route_map_rule_t") {
                let name = between(line, "] ", " =").unwrap_or_default();
                let mut rules = String::new();
                for (_, more) in lines.by_ref().take_while(|(_, more)| !more.trim().ends_with("};"))
                {
                    rules += more.split("//").next().unwrap_or_default();
                }
                let rule = |rule: &str| {
                    let port = u32::try_from(keyed(rule, "idx")?).ok()?;
                    Some((keyed(rule, "start_addr")?, keyed(rule, "end_addr")?, port))
                };
                top.maps.insert(name, rules.split("'{").filter_map(rule).collect());
            } else if let Some(rest) = line.strip_prefix("assign ") {
                let Some((left, right)) = rest.trim_end_matches(';').split_once(" = ") else {
                    continue;
                };
                if let Some((bundle, port)) = indexed(left) {
                    inputs.insert((bundle, port), right.trim());
                } else if let Some((bundle, port)) = indexed(right.trim()) {
                    outputs.insert((bundle, port), left.trim());
                }
            } else if line.starts_with("floo_") && line.ends_with("#(") {
                let mut body = vec![line];
                for (_, more) in lines.by_ref() {
                    body.push(more.trim());
                    if more.trim() == ");" {
                        break;
                    }
                }
                top.instance(number, &body, &inputs, &outputs)?;
            }
        }
        if top.routers.is_empty() || top.interfaces.is_empty() {
            let fault =
                Fault::Empty("the top module that FlooGen writes, with routers and interfaces");
            return Err(fault.of(File::Network));
        }
        Ok(top)
    }

    /// A number or a position: `X_ID = id_t'(3);`, or `X_ID = '{x: 1, y: 0, port_id: 0};`.
    fn id(&mut self, text: &'a str) {
        let Some((name, value)) = text.split_once(" = ") else { return };
        if let Some(number) = between(value, "id_t'(", ")").and_then(digits) {
            self.numbers.insert(name, number);
        } else if let (Some(x), Some(y)) = (keyed(value, "x"), keyed(value, "y")) {
            let port = keyed(value, "port_id").unwrap_or(0);
            self.places.insert(name, (x as i64, y as i64, port as i64));
        }
    }

    fn instance(
        &mut self,
        line: usize,
        body: &[&'a str],
        inputs: &FxHashMap<(&'a str, u32), &'a str>,
        outputs: &FxHashMap<(&'a str, u32), &'a str>,
    ) -> Result<(), ReadError> {
        let start = body.iter().position(|line| line.starts_with(") ") && line.ends_with('('));
        let name = start.map(|at| body[at].trim_matches([')', '(', ' ']));
        let Some(name) = name else {
            return Err(syntax(line, "an instance without a name".to_owned()));
        };
        // A port or parameter, such as `.id_i ( X_ID ),`.
        let value = |key: &str| {
            let with = |line: &&&str| {
                line.strip_prefix('.')
                    .and_then(|rest| rest.strip_prefix(key))
                    .is_some_and(|rest| rest.trim_start().starts_with('('))
            };
            let found = body.iter().find(with)?;
            Some(found.split_once('(')?.1.trim_end_matches(',').trim_end_matches(')').trim())
        };
        self.has_wide |= value("floo_wide_o").is_some();
        let pair = |network: &str, first: &str, second: &str| {
            [first, second].map(|way| value(&format!("floo_{network}_{way}")).unwrap_or_default())
        };
        if body[0].contains("_router") {
            let missing = |what: &str| syntax(line, format!("router {name} has no {what}"));
            let ports = value("NumRoutes").and_then(digits).ok_or_else(|| missing("NumRoutes"))?;
            let of = |bundle: &str, wires: &FxHashMap<(&'a str, u32), &'a str>| {
                let own = wires.iter().filter(|((own, _), _)| *own == bundle);
                own.map(|(&(_, port), &wire)| (port, wire)).collect()
            };
            let wires = NETWORKS.iter().map(|network| {
                let [into, out] = pair(network, "i", "o");
                [of(into, inputs), of(out, outputs)]
            });
            self.routers.push(Router {
                name,
                algorithm: value("RouteAlgo").unwrap_or_default(),
                id: value("id_i").unwrap_or_default(),
                map: value("id_route_map_i").unwrap_or_default(),
                ports,
                wires: wires.collect(),
            });
        } else {
            let flags = body.iter().filter_map(|line| between(line, "set_ports(", ")"));
            let (mut is_subordinate, mut is_manager) = (false, false);
            for flags in flags {
                let mut flags = flags.split(", ").skip(1).map(|flag| flag == "1'b1");
                is_subordinate |= flags.next().unwrap_or(true);
                is_manager |= flags.next().unwrap_or(true);
            }
            let wires = NETWORKS.iter().map(|network| pair(network, "o", "i")).collect();
            let id = value("id_i").unwrap_or_default();
            self.interfaces.push(Interface { name, id, is_manager, is_subordinate, wires, line });
        }
        Ok(())
    }
}

/// A wire of a bundle, such as `router_req_in[3]`.
fn indexed(text: &str) -> Option<(&str, u32)> {
    let (bundle, port) = text.strip_suffix(']')?.split_once('[')?;
    Some((bundle, digits(port)?))
}

impl<'a> Top<'a> {
    /// Reader of each wire.
    pub fn readers(&self) -> FxHashMap<&'a str, End> {
        let mut readers = FxHashMap::default();
        for network in 0..NETWORKS.len() {
            for (at, router) in self.routers.iter().enumerate() {
                let own = router.wires[network][0].iter();
                readers.extend(own.map(|(&port, &wire)| (wire, End::Router(at, port))));
            }
            for (at, interface) in self.interfaces.iter().enumerate() {
                readers.insert(interface.wires[network][1], End::Interface(at));
            }
        }
        readers
    }
}

/// End of a link.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Router(usize, u32),
    Interface(usize),
}
