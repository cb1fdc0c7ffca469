//! Chromium, driven through chromedriver: a browser that really shows the pages.

use crate::tools::{Tool, on_path};
use std::io::{self, BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time that the driver may take until it listens.
const LIMIT: Duration = Duration::from_secs(120);
/// Time from one look whether it has ended to the next.
const STEP: Duration = Duration::from_millis(50);

/// Chromium and its driver on this machine.
#[derive(Clone, Debug)]
pub struct Chromium {
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
    /// Folder in which its browsers keep what they write.
    pub folder: tempfile::TempDir,
}

impl Chromium {
    /// Starts the driver on a port that it chooses itself: one that was chosen for it could by then be that of
    /// the driver of another test.
    ///
    /// # Panics
    /// Where it does not say its port in two minutes.
    pub fn driver(&self) -> Driver {
        let folder = tempfile::tempdir().expect("a folder of its own");
        let mut child = Command::new(&self.driver)
            .arg("--port=0")
            .current_dir(folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.driver.display()));
        let (said, port) = mpsc::channel();
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        // To its end, so that the driver can always write.
        thread::spawn(move || {
            for port in lines.map_while(Result::ok).filter_map(|line| port_of(&line)) {
                let _ = said.send(port);
            }
        });
        match port.recv_timeout(LIMIT) {
            Ok(port) => Driver { child, port, folder },
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                panic!("{} does not say its port", self.driver.display())
            }
        }
    }
}

/// The port of the line by which the driver says that it has one.
fn port_of(line: &str) -> Option<u16> {
    line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

impl Driver {
    /// Address at which the driver listens.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_says_its_port() {
        assert_eq!(port_of("ChromeDriver was started successfully on port 40123."), Some(40123));
        assert_eq!(port_of("Starting ChromeDriver 156.0 on port 0"), None);
    }
}
