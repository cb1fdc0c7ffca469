//! Expressions as Verilog.

use super::Printer;
use super::lines::BREAK;
use turnpike_netlist::Expr;

impl Printer<'_> {
    pub(super) fn expr(&self, e: &Expr) -> String {
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
            Expr::Repeat { parametric: true, bit, .. } => {
                format!("{{WIDTH{{{}}}}}", self.expr(bit))
            }
            Expr::Repeat { times, bit, .. } => format!("{{{times}{{{}}}}}", self.expr(bit)),
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

/// A literal; more than 64 bits are filled up with zeros.
pub(super) fn constant(width: u32, value: u64) -> String {
    match value {
        0 if width > 64 => format!("{{{width}{{1'b0}}}}"),
        _ if width > 64 => format!("{{{{{}{{1'b0}}}}, 64'd{value}}}", width - 64),
        _ => format!("{width}'d{value}"),
    }
}
