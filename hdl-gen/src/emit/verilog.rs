//! Modules of the netlist as Verilog-2005 text. Every operator and connection of the emitted
//! hardware is printed here; templates only lay the lines out.

use crate::rtl::{Expr, Instance, Item, Module, Net, NetInfo, NetKind, Register};
use std::collections::HashSet;

/// Lines are at most this wide.
const COLUMNS: usize = 100;
/// Marks where a line may be broken.
const BREAK: char = '\u{1}';

/// A printed module, for the template.
pub struct ModuleText {
    /// Whether synthesis is asked to keep the module.
    pub keep_hierarchy: bool,
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
    module.items.iter().for_each(|item| printer.item(item));
    let parameters = match module.width_parameter {
        Some(_) => vec!["parameter WIDTH = 32".to_owned()],
        None => Vec::new(),
    };
    let keep_hierarchy = module.keep_hierarchy;
    ModuleText { keep_hierarchy, parameters, ports: printer.ports(), body: printer.lines }
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
        let implicit = [("clk", self.module.clocked), ("rst", self.module.has_reset)];
        let mut rows: Vec<(String, String, &str)> = implicit
            .into_iter()
            .filter(|&(_, there)| there)
            .map(|(name, _)| ("input  wire".to_owned(), String::new(), name))
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
            let kind = if self.variables.contains(&net.index) { "reg" } else { "wire" };
            let text = format!("{kind} {}{};", spaced(range(info)), info.name);
            self.line(2, &text);
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
        let mut used = Vec::new();
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
        for (name, there) in [("clk", module.clocked), ("rst", module.has_reset)] {
            connections.extend(there.then(|| format!(".{name}({name})")));
        }
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

    fn expr(&self, e: &Expr) -> String {
        let joined = |list: &[Expr], operator: &str| {
            let operands: Vec<String> = list.iter().map(|e| self.operand(e)).collect();
            operands.join(&format!(" {operator} {BREAK}"))
        };
        match e {
            Expr::Net(net) => self.name(*net).to_owned(),
            Expr::Reset => "rst".to_owned(),
            Expr::Const { width, value } => constant(*width, *value),
            Expr::Slice { net, low, width: 1 } => format!("{}[{low}]", self.name(*net)),
            Expr::Slice { net, low, width } => {
                format!("{}[{}:{low}]", self.name(*net), low + width - 1)
            }
            Expr::Concat(list) => {
                let parts: Vec<String> = list.iter().map(|e| self.expr(e)).collect();
                format!("{{{}}}", parts.join(&format!(", {BREAK}")))
            }
            Expr::Repeat { times, bit } if self.module.width_parameter == Some(*times) => {
                format!("{{WIDTH{{{}}}}}", self.expr(bit))
            }
            Expr::Repeat { times, bit } => format!("{{{times}{{{}}}}}", self.expr(bit)),
            Expr::Not(e) => format!("~{}", self.unary(e)),
            Expr::And(list) => joined(list, "&"),
            Expr::Or(list) => joined(list, "|"),
            Expr::Xor(list) => joined(list, "^"),
            Expr::Any(e) => format!("|{}", self.unary(e)),
            Expr::Equal(a, b) => format!("{} == {BREAK}{}", self.operand(a), self.operand(b)),
            Expr::Add(a, b) => format!("{} + {BREAK}{}", self.operand(a), self.operand(b)),
            Expr::Sub(a, b) => format!("{} - {BREAK}{}", self.operand(a), self.operand(b)),
            Expr::Mux { select, then, otherwise } => format!(
                "{} ? {BREAK}{} : {BREAK}{}",
                self.operand(select),
                self.operand(then),
                self.operand(otherwise)
            ),
            Expr::Read { memory, address } => {
                let name = &self.module.memories[memory.0 as usize].name;
                format!("{name}[{}]", self.expr(address))
            }
        }
    }

    /// The operand of a unary operator: Verilog-2005 has no two of those in a row.
    fn unary(&self, e: &Expr) -> String {
        match e {
            Expr::Not(_) => format!("({})", self.expr(e)),
            e => self.operand(e),
        }
    }

    /// The expression, in parentheses unless it is a primary or a complement of one.
    fn operand(&self, e: &Expr) -> String {
        let primary = |e: &Expr| {
            matches!(
                e,
                Expr::Net(_)
                    | Expr::Reset
                    | Expr::Const { .. }
                    | Expr::Slice { .. }
                    | Expr::Concat(_)
                    | Expr::Repeat { .. }
                    | Expr::Read { .. }
            )
        };
        match e {
            Expr::Not(inner) if primary(inner) => self.expr(e),
            e if primary(e) => self.expr(e),
            e => format!("({})", self.expr(e)),
        }
    }
}

fn reads(e: &Expr, found: &mut Vec<u32>) {
    if let Expr::Read { memory, .. } = e {
        found.push(memory.0);
    }
    e.operands().into_iter().for_each(|e| reads(e, found));
}

fn range(info: &NetInfo) -> String {
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

fn constant(width: u32, value: u64) -> String {
    match value {
        0 if width > 64 => format!("{{{width}{{1'b0}}}}"),
        _ if width > 64 => format!("{{{{{}{{1'b0}}}}, 64'd{value}}}", width - 64),
        _ => format!("{width}'d{value}"),
    }
}

/// Breaks a statement into lines at its marks, where it is too long.
fn wrap(indent: usize, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut empty = true;
    for chunk in text.split(BREAK) {
        if !empty && line.len() + chunk.trim_end().len() > COLUMNS {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(indent + 4);
        }
        line += chunk;
        empty = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}
