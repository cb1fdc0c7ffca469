//! The top module where terminals have interfaces: the network, and the interfaces around it.

use super::counting::Counting;
use super::domains::Domains;
use super::shaping::Shaping;
use super::{Fields, Parts, buckets, parts};
use crate::plan::{FabricPlan, InterfaceStep, ResetStyle, Side, port_of};
use crate::rtl::ends;
use crate::rtl::fabric::{fabric, listed};
use crate::rtl::side_by_side::{self, apart, together};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use turnpike_netlist::{Design, Domain, Expr, Module, ModuleBuilder, Net, RtlError};
use turnpike_network::flows::TokenBucket;
use turnpike_network::topology::Terminal;

/// The whole design of a plan: its network, the interfaces of terminals around it, and their ends.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn design(plan: &FabricPlan) -> Result<Design, RtlError> {
    top(plan, &fabric(plan)?)
}

/// The top module of a plan around its `network`: the network itself where no terminal has an interface.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn top(plan: &FabricPlan, network: &Design) -> Result<Design, RtlError> {
    let streams = streams(plan, network)?;
    match plan.ends() {
        Some(ends) => ends::top(plan, ends, &streams),
        None => Ok(streams),
    }
}

/// The design of a plan whose terminals have streams: without memory-mapped ends.
///
/// # Errors
/// [`RtlError`] never, unless a builder is wrong.
pub fn streams_design(plan: &FabricPlan) -> Result<Design, RtlError> {
    streams(plan, &fabric(plan)?)
}

/// The module whose terminals have streams, around a plan's `network`: the network itself where no
/// terminal has an interface.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn streams(plan: &FabricPlan, network: &Design) -> Result<Design, RtlError> {
    if !plan.has_interfaces() {
        return Ok(network.clone());
    }
    let network = network.top();
    let mut m = match plan.clocks().is_empty() {
        true => ModuleBuilder::new(plan.streams_name()),
        false => ModuleBuilder::of_domains(plan.streams_name()),
    };
    about(plan, &network.name, &mut m);
    if plan.has_counters() {
        m.about("Counters and a watchdog have ports of their own, s_axil_* and hang, in clk.");
    }
    let domains = Domains::ports(plan, &mut m);
    let sides = [Side::Source, Side::Sink];
    // The terminals' ports, side by side with what the network has.
    let mut ports: HashMap<String, Net> = HashMap::new();
    for side in sides {
        for &terminal in plan.terminals_of(side) {
            for signal in plan.signals_of(side, terminal) {
                let name = plan.port_name(side, terminal, signal.name);
                let net = match signal.input {
                    true => m.input(&name, signal.width),
                    false => m.output(&name, signal.width),
                };
                ports.insert(name, net);
            }
        }
    }
    let counting = plan.has_counters().then(|| Counting::ports(plan, &mut m));
    let domains = domains.resets(plan, &mut m)?;
    let mut builder = Builder {
        plan,
        m,
        ports,
        inner: HashMap::new(),
        counted: HashMap::new(),
        parts: parts(plan)?,
        buckets: buckets(plan)?,
        refusals: BTreeMap::new(),
        refuses: plan.has_addresses_of_nobody(),
        domains,
    };
    for side in sides {
        for &terminal in plan.terminals_of(side) {
            builder.interface(side, terminal);
        }
    }
    builder.errors();
    let Builder { mut m, ports, inner, counted, domains, .. } = builder;
    m.section("The network");
    let connections = network.ports().map(|(_, info)| {
        let name = info.name.as_str();
        (name, Expr::from(*inner.get(name).unwrap_or_else(|| &ports[name])))
    });
    m.instance_in(domains.network, "network", network, connections);
    if let Some(counting) = counting {
        let net = |name: &str| {
            *counted.get(name).or_else(|| inner.get(name)).unwrap_or_else(|| &ports[name])
        };
        counting.place(plan, &mut m, domains.network, net)?;
    }
    Design::new(&m.finish()?)
}

fn about(plan: &FabricPlan, network: &str, m: &mut ModuleBuilder) {
    let clocks: Vec<&str> = plan.clocks().into_iter().collect();
    let same = match plan.has_addresses() {
        true => {
            "Ports are those of the network; see there. Addresses are not: they are listed below."
        }
        false => "Ports and addresses are those of the network; see there.",
    };
    if clocks.is_empty() {
        if plan.parameters.reset == ResetStyle::Low {
            m.reset_low();
        }
        let bits = plan.parameters.width;
        let wishes = plan.terminal_wishes();
        m.about(match (wishes.widths.is_empty(), wishes.addresses.is_empty()) {
            (false, _) => format!(
                "The network, {network}, with terminals whose words are not of {bits} bits."
            ),
            (true, false) => {
                format!("The network, {network}, with addresses of the user's choice.")
            }
            (true, true) if plan.has_shapers() => {
                format!("The network, {network}, with shapers of what sources send.")
            }
            (true, true) => format!("The network, {network}, with counters at its ports."),
        });
        m.about(same);
        shapers(plan, m);
        addresses(plan, m);
        return;
    }
    m.about(format!(
        "The network, {network}, with terminals in clocks of their own: {}.",
        clocks.join(", ")
    ));
    m.about(same);
    shapers(plan, m);
    m.about(
        "A terminal's ports are of its clock, but for s_axis_error, which is of clk. A reset, of",
    );
    m.about("clk and however short, is one in every clock: clk waits until each has answered, so each of");
    m.about("them has to run. What is at a terminal is to be under the reset of its clock");
    m.about(format!("({} ...).", plan.clock_reset(clocks[0])));
    addresses(plan, m);
}

/// Says what shapers do.
fn shapers(plan: &FabricPlan, m: &mut ModuleBuilder) {
    if plan.has_shapers() {
        m.about("A packet enters the network once all of it has come and the token bucket of its flow has");
        m.about(
            "tokens for it; one without a flow, or not as long as those of its flow, is refused.",
        );
    }
}

/// Lists the addresses of terminals, where users chose some.
fn addresses(plan: &FabricPlan, m: &mut ModuleBuilder) {
    if !plan.has_addresses() {
        return;
    }
    m.about("The terminals, each with its address:");
    let pairs = plan.address_pairs();
    let entries = pairs.iter().map(|pair| format!("{} ({})", pair.label, pair.outer));
    listed("", entries).into_iter().for_each(|line| m.about(line));
}

/// A stream at a place between a terminal and the network: its signals, `valid` and `ready` first.
pub(super) type Place = Vec<(&'static str, Net)>;

/// Connections of a module with a stream `in` and a stream `out`.
pub(super) fn ends(from: &Place, to: &Place) -> Vec<(String, Expr)> {
    let ends = [("in", from), ("out", to)].into_iter();
    let signals = ends.flat_map(|(end, place)| {
        place.iter().map(move |(signal, net)| (format!("{end}_{signal}"), Expr::from(*net)))
    });
    signals.collect()
}

struct Builder<'a> {
    plan: &'a FabricPlan,
    m: ModuleBuilder,
    /// Ports of the top module, by name.
    ports: HashMap<String, Net>,
    /// Connections of the network's ports, where they are not to the port of the same name.
    inner: HashMap<String, Net>,
    /// Nets that counters look at, where they are not those of `inner`: with the user's addresses.
    counted: HashMap<String, Net>,
    parts: Parts,
    buckets: BTreeMap<TokenBucket, Arc<Module>>,
    /// By port of errors, nets that are high where a packet is refused before it comes to the network.
    refusals: BTreeMap<String, Vec<Net>>,
    /// Whether packets can have the address of nobody.
    refuses: bool,
    domains: Domains,
}

impl Builder<'_> {
    /// The interface of a side of a terminal.
    fn interface(&mut self, side: Side, terminal: Terminal) {
        let steps = self.plan.interface_steps(side, terminal);
        if steps.is_empty() {
            return;
        }
        let stream = self.plan.stream_name(side, terminal);
        let name = stream.trim_end_matches("_axis");
        let clock = self.plan.clock(terminal);
        let bits = self.plan.data_width(terminal);
        let of_clock = clock.map(|clock| format!(", of {clock}")).unwrap_or_default();
        self.m.section(format!("{stream}: words of {bits} bits{of_clock}"));
        // The streams before, between and after the steps, of which one is at the ports, and one at
        // the network.
        let (outer, network) = match side {
            Side::Source => (0, steps.len()),
            Side::Sink => (steps.len(), 0),
        };
        let exchange = steps.iter().position(|step| matches!(step, InterfaceStep::Address(_)));
        let [fields, of_network] = [Fields::outer(self.plan, side), Fields::inner(self.plan, side)];
        let places: Vec<Place> = (0..=steps.len())
            .map(|place| {
                let bits =
                    steps.get(place).map_or_else(|| steps[place - 1].to(), |step| step.from());
                let of = if place == network { &of_network } else { &fields }.stream(bits);
                let signals = ["valid", "ready"].into_iter();
                let signals = signals.chain(of.fields.iter().map(|(name, _)| *name));
                if place == outer {
                    return signals.map(|s| (s, self.ports[&port_of(&stream, s)])).collect();
                }
                let wires = self.m.stream_wires(&format!("{name}_words{place}"), of.clone());
                let net = |signal| match signal {
                    "valid" => wires.lanes[0].valid,
                    "ready" => wires.lanes[0].ready,
                    field => wires.field(field).expect("a field of its type"),
                };
                signals.map(|signal| (signal, net(signal))).collect()
            })
            .collect();
        let named = |place: usize| {
            let signals = places[place].iter();
            signals.map(|(signal, net)| (port_of(&stream, signal), *net)).collect::<Vec<_>>()
        };
        self.inner.extend(named(network));
        if let Some(at) = exchange {
            self.counted.extend(named(at + usize::from(side == Side::Sink)));
        }
        // A source's words are of its clock until they cross, a sink's from there on.
        let mut is_outside = side == Side::Source;
        for (at, step) in steps.iter().enumerate() {
            let (from, to) = (&places[at], &places[at + 1]);
            match step {
                InterfaceStep::Convert(_) => {
                    let kind = if step.from() < step.to() { "widen" } else { "narrow" };
                    let domain = self.domains.of(clock.filter(|_| is_outside));
                    self.place((side, *step), format!("{name}_{kind}"), domain, ends(from, to));
                }
                InterfaceStep::Address(_) => {
                    let mut connections = ends(from, to);
                    if side == Side::Source && self.refuses {
                        let own = self.m.wire(format!("{name}_nobody"), 1);
                        connections.push(("error".to_owned(), own.into()));
                        self.refusals.entry(port_of(&stream, "error")).or_default().push(own);
                    }
                    let domain = self.domains.network;
                    self.place((side, *step), format!("{name}_address"), domain, connections);
                }
                InterfaceStep::Shape { class, .. } => {
                    let shaper = Shaping {
                        class: &self.plan.shapers()[*class],
                        module: &self.parts[&(side, *step)],
                        buckets: &self.buckets,
                        domain: self.domains.network,
                    };
                    let own = shaper.place(&mut self.m, name, from, to);
                    self.refusals.entry(port_of(&stream, "error")).or_default().push(own);
                }
                InterfaceStep::Cross(_) => {
                    let clock = clock.expect("a terminal of a clock of its own");
                    self.cross((side, *step), name, clock, [from, to]);
                    is_outside = !is_outside;
                }
            }
        }
    }

    /// Places the module of a step.
    fn place(
        &mut self,
        part: (Side, InterfaceStep),
        name: String,
        domain: Domain,
        connections: Vec<(String, Expr)>,
    ) {
        let connections = connections.iter().map(|(port, e)| (port.as_str(), e.clone()));
        self.m.instance_in(domain, name, &self.parts[&part], connections);
    }

    /// Raises ports of errors as the network does, and where packets are refused before they come to it.
    fn errors(&mut self) {
        for (port, refusals) in std::mem::take(&mut self.refusals) {
            let of_network = self.m.wire(format!("{}_network", port.replace("_axis_", "_")), 1);
            let all = [of_network].into_iter().chain(refusals);
            self.m.assign(self.ports[&port], Expr::any_of(all.map(Expr::from)));
            self.inner.insert(port, of_network);
        }
    }

    /// The queue from one clock to the other: its words are all fields side by side.
    fn cross(&mut self, part: (Side, InterfaceStep), name: &str, clock: &str, ends: [&Place; 2]) {
        let (own, network) = (self.domains.of(Some(clock)), self.domains.ends());
        let domains = if part.0 == Side::Source { [own, network] } else { [network, own] };
        let [from, to] = ends;
        let fields = |place: &Place| place[2..].iter().map(|(_, net)| *net).collect::<Vec<Net>>();
        let word = together(&fields(from));
        let whole = side_by_side::wire(&mut self.m, format!("{name}_word"), &fields(to));
        let [[in_clk, in_rst], [out_clk, out_rst]] = domains.map(|domain| {
            [domain.clock, domain.reset].map(|net| Expr::from(net.expect("clocks are nets here")))
        });
        let connections = [
            ("in_clk", in_clk),
            ("in_rst", in_rst),
            ("out_clk", out_clk),
            ("out_rst", out_rst),
            ("in_valid", from[0].1.into()),
            ("in_ready", from[1].1.into()),
            ("in_data", word),
            ("out_valid", to[0].1.into()),
            ("out_ready", to[1].1.into()),
            ("out_data", whole.into()),
        ];
        self.m.instance(format!("{name}_cross"), &self.parts[&part], connections);
        apart(&mut self.m, whole, &fields(to));
    }
}
