//! Chromium, driven through chromedriver: a browser that really shows the pages.

use crate::tools::{Tool, on_path};
use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long the driver may take until it answers.
const LIMIT: Duration = Duration::from_secs(120);
/// How often it is asked.
const STEP: Duration = Duration::from_millis(50);

/// Where Chromium and its driver are.
#[derive(Clone, Debug)]
pub struct Chromium {
    /// The browser.
    pub browser: PathBuf,
    driver: PathBuf,
}

impl Tool for Chromium {
    const NAME: &'static str = "Chromium with chromedriver";

    fn locate() -> Option<Self> {
        let browser =
            ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path)?;
        Some(Self { browser, driver: on_path("chromedriver")? })
    }
}

/// A driver that runs, with a folder of its own; it and its browsers end with it.
#[derive(Debug)]
pub struct Driver {
    child: Child,
    port: u16,
    /// Where its browsers keep what they write.
    pub folder: tempfile::TempDir,
}

impl Chromium {
    /// Starts the driver on a free port.
    ///
    /// # Panics
    /// Where it does not answer in two minutes.
    pub fn driver(&self) -> Driver {
        let folder = tempfile::tempdir().expect("a folder of its own");
        let end = Instant::now() + LIMIT;
        while Instant::now() < end {
            let port = free_port().expect("a free port");
            let mut child = Command::new(&self.driver)
                .arg(format!("--port={port}"))
                .current_dir(folder.path())
                .env("TMPDIR", folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.driver.display()));
            // Another program may have taken the port meanwhile: it ends then, and another is tried.
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < end {
                if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                    return Driver { child, port, folder };
                }
                thread::sleep(STEP);
            }
            let _ = child.kill();
            let _ = child.wait();
        }
        panic!("{} does not answer", self.driver.display())
    }
}

impl Driver {
    /// Where it listens.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// Ends the driver, also where a test panics. It ends its browsers when it is told to end.
impl Drop for Driver {
    fn drop(&mut self) {
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let ask = "GET /shutdown HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            let _ = io::Write::write_all(&mut stream, ask.as_bytes());
            let end = Instant::now() + Duration::from_secs(20);
            while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < end {
                thread::sleep(STEP);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens at.
fn free_port() -> io::Result<u16> {
    TcpListener::bind(("127.0.0.1", 0))?.local_addr().map(|address| address.port())
}
