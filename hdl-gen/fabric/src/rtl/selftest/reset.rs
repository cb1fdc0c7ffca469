//! The reset of a self-test: at power-on, and again by a button.

use std::sync::Arc;
use turnpike_netlist::{Expr, Module, ModuleBuilder, Register, RtlError};

/// The reset lasts for 2^this cycles, less one, after the button's last bounce.
const AGE_BITS: u32 = 4;

/// The module. Ports: `button`, asynchronous, high while pressed; `reset`, high from power-on
/// and while the button is down, and for 15 cycles more.
///
/// # Errors
/// [`RtlError`] never, unless this builder is wrong.
pub fn reset(prefix: &str) -> Result<Arc<Module>, RtlError> {
    let mut m = ModuleBuilder::new(format!("{prefix}_selftest_reset"));
    m.about("Reset of the self-test: from power-on, and again whenever the button is pressed.");
    m.about("The registers hold 0 when the device has been configured.");
    let button = m.input("button", 1);
    let reset = m.output("reset", 1);
    m.section("The button, in step with the clock");
    let steps = m.reg_from_zero("button_steps", 2);
    let next = Expr::concat([steps.bit(0), button.into()]);
    m.registers(vec![Register { net: steps, reset: None, enable: None, next }]);
    m.section("Cycles since power-on or the button's last bounce");
    let age = m.reg_from_zero("age", AGE_BITS);
    let grown =
        m.define("grown", 1, Expr::from(age).equals(Expr::constant(AGE_BITS, (1 << AGE_BITS) - 1)));
    let older = Expr::from(age) + Expr::constant(AGE_BITS, 1);
    let kept = Expr::from(grown).mux(age, older);
    let next = steps.bit(1).mux(Expr::constant(AGE_BITS, 0), kept);
    m.registers(vec![Register { net: age, reset: None, enable: None, next }]);
    m.comment("A register of its own: the reset reaches much, and must not glitch.");
    let held = m.reg_from_zero("released", 1);
    m.registers(vec![Register { net: held, reset: None, enable: None, next: grown.into() }]);
    m.assign(reset, !Expr::from(held));
    m.finish()
}
