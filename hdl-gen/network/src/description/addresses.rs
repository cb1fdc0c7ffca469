//! Addresses that files give terminals.

use super::{DescriptionError, Fault, Name};
use std::collections::HashMap;

/// Addresses as they are read.
#[derive(Default)]
pub(super) struct Addresses {
    /// By address, the number of its terminal, and the line that gives it.
    given: HashMap<u32, (usize, Option<usize>)>,
}

impl Addresses {
    /// Gives the terminal of this number an address.
    ///
    /// # Errors
    /// [`Fault::AddressTwice`].
    pub(super) fn add(
        &mut self,
        terminal: usize,
        address: u32,
        line: Option<usize>,
    ) -> Result<(), Fault> {
        match self.given.insert(address, (terminal, line)) {
            None => Ok(()),
            Some(_) => Err(Fault::AddressTwice(address)),
        }
    }

    /// Addresses of the terminals that are given one, by number. `terminals` are the names of all.
    ///
    /// # Errors
    /// [`Fault::AddressOfNumber`].
    pub(super) fn by_number(
        &self,
        terminals: &[Name],
    ) -> Result<HashMap<usize, u32>, DescriptionError> {
        let given: HashMap<usize, u32> =
            self.given.iter().map(|(&address, &(number, _))| (number, address)).collect();
        for (number, name) in terminals.iter().enumerate() {
            let address = number as u32;
            let Some(&(_, line)) = self.given.get(&address) else { continue };
            if !given.contains_key(&number) {
                let terminal = name.original.clone().unwrap_or(name.identifier.clone());
                let fault = Box::new(Fault::AddressOfNumber { address, terminal });
                return Err(DescriptionError { line, fault });
            }
        }
        Ok(given)
    }
}
