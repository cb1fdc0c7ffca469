//! Name of the FuseSoC core of a fabric.

use clap::Args;
use turnpike_emit::{Vlnv, VlnvError};

/// The name of the FuseSoC core, `VENDOR:LIBRARY:NAME:VERSION`.
#[derive(Args, Clone, Debug, Default)]
pub struct CoreOptions {
    /// Vendor of the FuseSoC core, VENDOR:LIBRARY:NAME:VERSION [default: turnpike]
    #[arg(long, value_name = "WORD")]
    pub vendor: Option<String>,
    /// Library of the FuseSoC core [default: fabric]
    #[arg(long, value_name = "WORD")]
    pub library: Option<String>,
    /// Version of the FuseSoC core, such as 1.2.0. Default: that of Turnpike
    #[arg(long, value_name = "VERSION")]
    pub core_version: Option<String>,
}

impl CoreOptions {
    /// The name.
    ///
    /// # Errors
    /// The first part that FuseSoC does not take.
    pub fn vlnv(&self) -> Result<Vlnv, VlnvError> {
        let Self { vendor, library, core_version } = self;
        Vlnv::new(vendor.as_deref(), library.as_deref(), core_version.as_deref())
    }
}
