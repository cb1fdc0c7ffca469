//! The arbiter of adaptive switches: whoever was granted longest ago.

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Net, Register, RtlError};

/// A matrix arbiter (Dally and Towles, Principles and Practices of Interconnection Networks, 2004,
/// section 18.5) over `n` packets that ask for one output in two rounds. Ports:
/// - `ask` [n]: who asks in the first round, only while `free`;
/// - `again` [n]: who asks in the second one, only while `free` and nobody asks in the first;
/// - `done`: the flit that leaves in this cycle is its packet's last;
/// - `free`: no packet holds the output;
/// - `first`, `second` [n]: who is granted it in a round, one-hot within those that ask, or 0;
/// - `holds` [n], from registers: the packet that holds the output, one-hot, or 0.
///
/// A packet holds the output from the cycle after its grant until `done`. One bit for any two says
/// which of them goes first; whoever is granted goes last from then on. So a packet loses to each
/// other one once at most until it is granted, however often it stops asking between.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn matrix_arbiter(prefix: &str, n: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "matrix_arbiter", n);
    m.about(match n {
        1 => "Grants an output to the only packet that asks for it.".to_owned(),
        _ => format!(
            "Matrix arbiter over {n} packets: of those that ask it grants an output to the one"
        ),
    });
    if n > 1 {
        m.about(
            "that was granted longest ago. A cycle has two rounds; at most one of them grants.",
        );
    }
    m.about("The packet holds the output until its last flit has left.");
    let ask = m.input("ask", n);
    let again = m.input("again", n);
    let done = m.input("done", 1);
    let free = m.output("free", 1);
    let first = m.output("first", n);
    let second = m.output("second", n);
    let holds = m.output("holds", n);

    let locked = m.reg("locked", 1);
    m.assign(free, !Expr::from(locked));
    let granted = Expr::from(first) | second;
    let busy = match n {
        1 => {
            m.assign(first, ask);
            m.assign(second, again);
            m.assign(holds, locked);
            m.define("granted", 1, granted)
        }
        _ => {
            let before: Vec<Net> =
                (0..n - 1).map(|i| m.reg(format!("before_{i}"), n - 1 - i)).collect();
            let owner = m.reg("owner", n);
            m.section("Choice");
            m.comment("before_i: packet i goes before the one i+1, i+2, and so on.");
            m.assign(first, go_first(&before, ask));
            m.assign(second, go_first(&before, again));
            m.assign(holds, Expr::from(locked).repeat(n) & owner);
            m.section("Next state");
            let granted = m.define("granted", n, granted);
            let busy = m.define("busy", 1, Expr::from(granted).any());
            let register =
                |net, reset, next| Register { net, reset, enable: Some(busy.into()), next };
            m.comment("The packet that is granted goes behind all others.");
            let behind = before.iter().zip(0..).map(|(&row, i)| {
                let kept = Expr::from(row) & (!granted.bit(i)).repeat(n - 1 - i);
                register(row, Some((1 << (n - 1 - i)) - 1), kept | granted.slice(i + 1, n - 1 - i))
            });
            m.registers(behind.collect());
            m.registers(vec![register(owner, None, granted.into())]);
            busy
        }
    };
    let next = (Expr::from(locked) | busy) & !Expr::from(done);
    m.registers(vec![Register { net: locked, reset: Some(0), enable: None, next }]);
    m.finish()
}

/// Request of `asks` before which no other request goes.
fn go_first(before: &[Net], asks: Net) -> Expr {
    let n = asks.width;
    let bit = |row: u32, of: u32| before[row as usize].bit(of - row - 1);
    let goes = |i: u32| {
        let earlier = (0..i).map(|j| !(asks.bit(j) & bit(j, i)));
        let later = (i + 1..n).map(|j| !(asks.bit(j) & !bit(i, j)));
        Expr::all([asks.bit(i)].into_iter().chain(earlier).chain(later))
    };
    Expr::concat((0..n).rev().map(goes))
}
