//! Modules of the netlist as Verilog-2005 text. Every operator and connection of the emitted
//! hardware is printed here; templates only lay the lines out.

mod expression;
mod lines;

use expression::constant;
use lines::{BREAK, COLUMNS, wrap};
use std::collections::HashSet;
use turnpike_netlist::{
    CLOCK, Crossing, Expr, Instance, Item, Module, Net, NetInfo, NetKind, RESET, RESET_LOW,
    Register,
};

/// Attributes of the registers of a synchroniser: synthesis places them side by side, merges them with no
/// others, and makes no shift register of them.
const SYNCHRONISER: &str = "(* async_reg = \"true\", keep = \"true\", shreg_extract = \"no\" *)";

/// A printed module, for the template.
pub struct ModuleText {
    /// Attribute for synthesis, without its marks.
    pub attribute: Option<&'static str>,
    /// Parameter lines, without trailing commas.
    pub parameters: Vec<String>,
    /// Port declarations, without trailing commas.
    pub ports: Vec<String>,
    /// The body, line by line, indented.
    pub body: Vec<String>,
}

/// Prints a module.
pub fn module_text(module: &Module) -> ModuleText {
    let mut printer = Printer {
        module,
        variables: variables(module),
        declared: module.ports().map(|(net, _)| net.index).collect(),
        memories: HashSet::new(),
        lines: Vec::new(),
    };
    if module.has_reset && module.reset_low {
        printer.line(2, &format!("wire {RESET} = ~{RESET_LOW};"));
    }
    module.items.iter().for_each(|item| printer.item(item));
    let parameters = match module.width_parameter {
        Some(_) => vec!["parameter WIDTH = 32".to_owned()],
        None => Vec::new(),
    };
    let attribute = module.attribute;
    ModuleText { attribute, parameters, ports: printer.ports(), body: printer.lines }
}

/// Nets that are variables (`reg`) in Verilog: driven by registers and tables.
fn variables(module: &Module) -> HashSet<u32> {
    let mut variables = HashSet::new();
    for item in &module.items {
        match item {
            Item::Table { net, .. } => {
                variables.insert(net.index);
            }
            Item::Registers(list) => variables.extend(list.iter().map(|r| r.net.index)),
            _ => {}
        }
    }
    variables
}

struct Printer<'a> {
    module: &'a Module,
    variables: HashSet<u32>,
    declared: HashSet<u32>,
    memories: HashSet<u32>,
    lines: Vec<String>,
}

impl Printer<'_> {
    fn ports(&self) -> Vec<String> {
        let clock = self.module.clocked.then_some(CLOCK);
        let reset = self.module.reset_port(RESET).map(|(port, _)| port);
        let mut rows: Vec<(String, String, &str)> = clock
            .into_iter()
            .chain(reset)
            .map(|name| ("input  wire".to_owned(), String::new(), name))
            .collect();
        for (net, info) in self.module.ports() {
            let direction = match info.kind {
                NetKind::Input => "input  wire",
                _ if self.variables.contains(&net.index) => "output reg ",
                _ => "output wire",
            };
            rows.push((direction.to_owned(), range(info), &info.name));
        }
        let widest = rows.iter().map(|(_, r, _)| r.len()).max().unwrap_or(0);
        let row = |(direction, range, name): (String, String, &str)| match widest {
            0 => format!("{direction} {name}"),
            _ => format!("{direction} {range:>widest$} {name}"),
        };
        rows.into_iter().map(row).collect()
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.lines.extend(wrap(indent, text));
    }

    fn name(&self, net: Net) -> &str {
        &self.module.net(net).name
    }

    /// Declares the nets that come up here for the first time.
    fn declare(&mut self, nets: impl IntoIterator<Item = Net>) {
        for net in nets {
            if !self.declared.insert(net.index) {
                continue;
            }
            let info = self.module.net(net);
            if info.crossing == Some(Crossing::Synchroniser) {
                self.line(2, SYNCHRONISER);
            }
            let kind = if self.variables.contains(&net.index) { "reg" } else { "wire" };
            let text = format!("{kind} {}{};", spaced(range(info)), info.name);
            self.line(2, &text);
            if info.starts_at_zero {
                self.line(2, &format!("initial {} = {};", info.name, constant(info.width, 0)));
            }
        }
    }

    fn item(&mut self, item: &Item) {
        self.declare_memories(item);
        match item {
            Item::Section(title) => {
                if !self.lines.is_empty() {
                    self.lines.push(String::new());
                }
                let rule = "-".repeat((COLUMNS - 10).saturating_sub(title.len() + 8));
                self.line(2, &format!("// ---- {title} {rule}"));
            }
            Item::Comment(text) => self.line(2, &format!("// {text}")),
            Item::Assign { net, value } => self.assign(*net, value),
            Item::Table { net, index, rows } => self.table(*net, *index, rows),
            Item::Registers(list) => {
                let (reset, free): (Vec<_>, Vec<_>) = list.iter().partition(|r| r.reset.is_some());
                self.registers(&reset);
                self.registers(&free);
            }
            Item::Write { memory, enable, address, data } => {
                let mut used = Vec::new();
                [enable, address, data].into_iter().for_each(|e| e.nets(&mut |n| used.push(n)));
                self.declare(used);
                let name = &self.module.memories[memory.0 as usize].name;
                let write = format!(
                    "if ({}) {name}[{}] <= {};",
                    self.expr(enable),
                    self.expr(address),
                    self.expr(data)
                );
                self.line(2, "always @(posedge clk) begin");
                self.line(4, &write);
                self.line(2, "end");
            }
            Item::Instance(instance) => self.instance(instance),
        }
    }

    fn assign(&mut self, net: Net, value: &Expr) {
        let mut used = Vec::new();
        value.nets(&mut |n| used.push(n));
        self.declare(used);
        let text = self.expr(value);
        let info = self.module.net(net);
        if info.gathers_unused && self.declared.insert(net.index) {
            // What slang goes by. Icarus takes no attribute on a declaration with a value.
            let declaration = format!("(* unused *) wire {}{};", spaced(range(info)), info.name);
            self.line(2, &declaration);
        }
        let statement = match self.declared.insert(net.index) {
            true => {
                format!("wire {}{} = {BREAK}{text};", spaced(range(info)), info.name)
            }
            false => format!("assign {} = {BREAK}{text};", info.name),
        };
        self.line(2, &statement);
    }

    fn declare_memories(&mut self, item: &Item) {
        let mut found = Vec::new();
        let mut look = |e: &Expr| reads(e, &mut found);
        match item {
            Item::Assign { value, .. } => look(value),
            Item::Registers(list) => list.iter().for_each(|r| look(&r.next)),
            Item::Write { memory, .. } => found.push(memory.0),
            _ => {}
        }
        for index in found {
            if self.memories.insert(index) {
                let memory = &self.module.memories[index as usize];
                let range = range_of(memory.width, memory.parametric);
                let (name, last) = (&memory.name, memory.depth - 1);
                self.line(2, &format!("reg {}{name} [0:{last}];", spaced(range)));
            }
        }
    }

    fn table(&mut self, net: Net, index: Net, rows: &[u64]) {
        self.declare([index, net]);
        let (name, selector) = (self.name(net).to_owned(), self.name(index).to_owned());
        self.line(2, "always @* begin");
        self.line(4, &format!("case ({selector})"));
        let last = rows.len() - 1;
        for (row, &value) in rows.iter().enumerate() {
            let value = format!("{}'b{value:0width$b}", net.width, width = net.width as usize);
            let label = match row == last {
                true => "default".to_owned(),
                false => format!("{}'b{row:0width$b}", index.width, width = index.width as usize),
            };
            self.line(6, &format!("{label}: {name} = {value};"));
        }
        self.line(4, "endcase");
        self.line(2, "end");
    }

    /// Registers that are all reset or all not.
    fn registers(&mut self, list: &[&Register]) {
        let Some(first) = list.first() else { return };
        let mut used = Vec::new();
        for register in list {
            used.push(register.net);
            register.enable.iter().chain([&register.next]).for_each(|e| {
                e.nets(&mut |n| used.push(n));
            });
        }
        self.declare(used);
        self.line(2, "always @(posedge clk) begin");
        let has_reset = first.reset.is_some();
        if has_reset {
            self.line(4, "if (rst) begin");
            for register in list {
                let value = constant(register.net.width, register.reset.unwrap_or(0));
                let text = format!("{} <= {value};", self.name(register.net));
                self.line(6, &text);
            }
        }
        let sole_enable = match &first.enable {
            Some(enable) if has_reset && list.iter().all(|r| r.enable == first.enable) => {
                Some(self.expr(enable))
            }
            _ => None,
        };
        match &sole_enable {
            Some(enable) => self.line(4, &format!("end else if ({BREAK}{enable}) begin")),
            None if has_reset => self.line(4, "end else begin"),
            None => {}
        }
        let indent = if has_reset { 6 } else { 4 };
        for group in list.chunk_by(|a, b| a.enable == b.enable) {
            let mut indent = indent;
            let enable = group[0].enable.as_ref().filter(|_| sole_enable.is_none());
            if let Some(enable) = enable {
                let text = format!("if ({BREAK}{}) begin", self.expr(enable));
                self.line(indent, &text);
                indent += 2;
            }
            for register in group {
                let next = self.expr(&register.next);
                let text = format!("{} <= {BREAK}{next};", self.name(register.net));
                self.line(indent, &text);
            }
            if enable.is_some() {
                self.line(indent - 2, "end");
            }
        }
        if has_reset {
            self.line(4, "end");
        }
        self.line(2, "end");
    }

    fn instance(&mut self, instance: &Instance) {
        let mut used = Vec::from_iter(instance.domain.nets());
        instance.connections.iter().for_each(|e| e.nets(&mut |n| used.push(n)));
        self.declare(used);
        let module = &instance.module;
        let open = match module.width_parameter {
            Some(width) => {
                self.line(2, &format!("{} #(", module.name));
                self.line(4, &format!(".WIDTH({width})"));
                format!(") {} (", instance.name)
            }
            None => format!("{} {} (", module.name, instance.name),
        };
        self.line(2, &open);
        let mut connections: Vec<String> = Vec::new();
        let clock = instance.domain.clock.map_or(CLOCK, |net| self.name(net));
        connections.extend(module.clocked.then(|| format!(".{CLOCK}({clock})")));
        let reset = module.reset_port(instance.domain.reset.map_or(RESET, |net| self.name(net)));
        connections.extend(reset.map(|(port, reset)| format!(".{port}({reset})")));
        for ((_, info), e) in module.ports().zip(&instance.connections) {
            connections.push(format!(".{}({BREAK}{})", info.name, self.expr(e)));
        }
        let last = connections.len() - 1;
        for (i, connection) in connections.iter().enumerate() {
            let comma = if i == last { "" } else { "," };
            self.line(4, &format!("{connection}{comma}"));
        }
        self.line(2, ");");
    }
}

fn reads(e: &Expr, found: &mut Vec<u32>) {
    if let Expr::Read { memory, .. } = e {
        found.push(memory.0);
    }
    e.operands().for_each(|e| reads(e, found));
}

/// Range of the bits of a net, such as `[31:0]`; nothing for a single bit.
pub(crate) fn range(info: &NetInfo) -> String {
    range_of(info.width, info.parametric)
}

fn range_of(width: u32, parametric: bool) -> String {
    match width {
        _ if parametric => "[WIDTH-1:0]".to_owned(),
        1 => String::new(),
        _ => format!("[{}:0]", width - 1),
    }
}

fn spaced(range: String) -> String {
    if range.is_empty() { range } else { range + " " }
}
