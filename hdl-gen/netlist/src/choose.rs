//! Choice of one of several nets by a number.

use crate::{Expr, Net};

impl Net {
    /// The input of the number that this net is; `otherwise` where there is none, or any input where
    /// that is left open. Multiplexers of two inputs in a tree, that of the highest bit last.
    ///
    /// # Panics
    /// Without inputs.
    pub fn choose(self, inputs: &[Net], otherwise: Option<Expr>) -> Expr {
        self.below(self.width, 0, inputs, &otherwise).expect("there is an input 0")
    }

    /// Choice by the lowest `bits` bits among the inputs from `first` on.
    fn below(self, bits: u32, first: usize, inputs: &[Net], none: &Option<Expr>) -> Option<Expr> {
        if first >= inputs.len() {
            return none.clone();
        }
        let Some(bit) = bits.checked_sub(1) else { return Some(inputs[first].into()) };
        let low = self.below(bit, first, inputs, none);
        let high = self.below(bit, first + (1 << bit), inputs, none);
        match (low, high) {
            (Some(low), Some(high)) => Some(self.bit(bit).mux(high, low)),
            (low, _) => low,
        }
    }
}
