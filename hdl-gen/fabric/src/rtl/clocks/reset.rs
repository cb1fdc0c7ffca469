//! A reset that all clocks are under at one time, however short it is, and whatever the clocks.
//!
//! The clock that the reset comes with asks, the others answer. While any of them has not answered, that
//! clock stays under reset; once all have, its ends of the queues are reset, and all go on.

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// Module that asks, in the clock that the reset comes with. Ports:
/// - `answer0`, `answer1` ...: the answers of the other clocks;
/// - `request`: to the other clocks, out of a register;
/// - `held`: the reset of this clock, from the cycle of `rst` on;
/// - `ends`: the reset of this clock's ends of queues, while the other ends are under reset.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn request(prefix: &str, answers: u32, sync_stages: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::of_kind(prefix, "reset_request", answers);
    m.about(
        "A reset that other clocks are under at the same time, even if it lasts a cycle alone:",
    );
    m.about("this clock stays under reset until each other clock has answered that it is, too.");
    let inputs: Vec<_> = (0..answers).map(|i| m.input(format!("answer{i}"), 1)).collect();
    let request = m.output("request", 1);
    let held = m.output("held", 1);
    let ends = m.output("ends", 1);

    m.section("Answers");
    let seen: Vec<Expr> = (0..)
        .zip(inputs)
        .map(|(i, input): (u32, _)| {
            m.synchronised(&format!("answer{i}"), input, sync_stages).into()
        })
        .collect();
    let all = m.define("all", 1, Expr::all(seen.clone()));
    let any = m.define("any", 1, Expr::any_of(seen));

    m.section("The request");
    m.comment(
        "It is raised when every answer to the one before is gone, and stays until every other",
    );
    m.comment("clock has answered and the ends of this one were under reset for a cycle.");
    let waits = m.reg_from_zero("waits", 1);
    let asked = m.reg_from_zero("asked", 1);
    let cleared = m.reg_from_zero("cleared", 1);
    let done = m.define("done", 1, Expr::from(all) & cleared & !Expr::Reset);
    let asks = Expr::from(asked).mux(!Expr::from(done), Expr::from(waits) & !Expr::from(any));
    m.registers(vec![
        Register {
            net: waits,
            reset: Some(1),
            enable: None,
            next: Expr::from(waits) & !Expr::from(asked),
        },
        Register { net: asked, reset: None, enable: None, next: asks },
        Register {
            net: cleared,
            reset: None,
            enable: None,
            next: Expr::from(asked) & all & !Expr::from(done),
        },
    ]);
    m.assign(request, asked);
    m.assign(held, Expr::any_of([Expr::Reset, waits.into(), asked.into()]));
    m.assign(ends, cleared);
    m.finish()
}

/// Module that answers, in another clock. Ports:
/// - `request`: of the clock that the reset comes with;
/// - `held`: the reset of this clock;
/// - `answer`: that this clock was under reset for a cycle, out of a register.
///
/// The reset lasts a cycle longer than the request is seen, so that pointers that changed with it are
/// seen by then.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn answer(prefix: &str, sync_stages: u32) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_reset_answer"));
    m.about("A reset of another clock, in this one: it answers once this clock is under reset.");
    let request = m.input("request", 1);
    let held = m.output("held", 1);
    let answer = m.output("answer", 1);
    let seen = m.synchronised("request", request, sync_stages);
    let answered = m.reg_from_zero("answered", 1);
    m.registers(vec![Register { net: answered, reset: None, enable: None, next: seen.into() }]);
    m.assign(answer, answered);
    m.assign(held, Expr::from(seen) | answered);
    m.finish()
}
