//! A page in a browser, and what a reader does there.

use serde_json::{Value, json};
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};
use tokio::runtime::{Builder, Runtime};
use turnpike_tests::browser::{Chromium, Driver};

/// How long anything may take, on a machine that is busy with other things.
const LIMIT: Duration = Duration::from_secs(180);

/// What `turnpike` says, with the words of `line`.
#[track_caller]
pub fn turnpike(line: &str) -> String {
    let args = std::iter::once("turnpike").chain(line.split_whitespace());
    let report = turnpike_cli::run(args.map(Into::into).collect());
    report.unwrap_or_else(|error| panic!("{line}: {error:#}")).text
}

/// A page that a browser shows. Whatever a test asks of it, it has made no error on the console and
/// asked nothing of a network: [`Shown::close`] sees to that.
pub struct Shown {
    runtime: Runtime,
    page: WebDriver,
    address: String,
    /// Where files are saved.
    pub downloads: PathBuf,
    // Last: it ends after the session.
    _driver: Driver,
}

impl Shown {
    /// Opens a file.
    pub fn open(chromium: &Chromium, file: &Path) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let driver = chromium.driver();
        let downloads = driver.folder.path().join("downloads");
        fs::create_dir(&downloads).unwrap();
        let mut wanted = DesiredCapabilities::chrome();
        wanted.set_binary(chromium.browser.to_str().unwrap()).unwrap();
        // A sandbox wants a user that is not root; /dev/shm is small in containers.
        for option in [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--window-size=1200,1000",
        ] {
            wanted.add_arg(option).unwrap();
        }
        wanted.set_logging_prefs("browser", LoggingPrefsLogLevel::All).unwrap();
        wanted.set_logging_prefs("performance", LoggingPrefsLogLevel::All).unwrap();
        wanted
            .add_experimental_option("prefs", json!({ "download.default_directory": downloads }))
            .unwrap();
        let address = format!("file://{}", file.canonicalize().unwrap().display());
        let page = runtime.block_on(async {
            let server = WebDriver::builder(driver.address(), wanted).request_timeout(LIMIT);
            let page = server.await.unwrap();
            page.set_page_load_timeout(LIMIT).await.unwrap();
            page.set_script_timeout(LIMIT).await.unwrap();
            page.goto(&address).await.unwrap();
            page
        });
        Self { runtime, page, address, downloads, _driver: driver }
    }

    fn wait<T>(&self, what: impl Future<Output = WebDriverResult<T>>) -> T {
        self.runtime.block_on(what).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What a script gives.
    pub fn script(&self, script: &str) -> Value {
        self.wait(self.page.execute(script, Vec::new())).json().clone()
    }

    /// How many elements there are.
    pub fn count(&self, selector: &str) -> u64 {
        self.script(&format!("return document.querySelectorAll(`{selector}`).length"))
            .as_u64()
            .unwrap()
    }

    /// What an element says.
    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector(`{selector}`).textContent");
        let text = self.script(&script);
        text.as_str().unwrap_or_else(|| panic!("{selector} says nothing")).to_owned()
    }

    /// What an element says that says nothing at first: some answers come later than the click.
    pub fn answer(&self, selector: &str) -> String {
        let answer = || Some(self.text(selector)).filter(|text| !text.is_empty());
        awaited(answer).unwrap_or_else(|| panic!("{selector} does not answer"))
    }

    fn element(&self, selector: &str) -> WebElement {
        self.wait(self.page.find(By::Css(selector)))
    }

    /// Clicks on an element.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.wait(element.scroll_into_view());
        self.wait(element.click());
    }

    /// Puts the pointer on the middle of an element.
    pub fn point_at(&self, selector: &str) {
        let element = self.element(selector);
        self.wait(element.scroll_into_view());
        self.wait(self.page.action_chain().move_to_element_center(&element).perform());
    }

    /// Presses a key, wherever the focus is.
    pub fn press(&self, key: Key) {
        self.wait(self.page.action_chain().send_keys(key).perform());
    }

    /// Presses Tab until an element within `selector` has the focus.
    pub fn tab_to(&self, selector: &str) {
        let within = format!("return document.activeElement.closest(`{selector}`) !== null");
        for _ in 0..200 {
            if self.script(&within) == true {
                return;
            }
            self.press(Key::Tab);
        }
        panic!("Tab does not lead to {selector}");
    }

    /// A file that was saved, once it is whole.
    pub fn saved(&self, name: &str) -> String {
        let path = self.downloads.join(name);
        let whole = || fs::read_to_string(&path).ok().filter(|text| text.ends_with("</svg>\n"));
        awaited(whole).unwrap_or_else(|| panic!("{name} was not saved"))
    }

    /// Milliseconds from the begin of navigation to the page as it is shown, its script done.
    pub fn milliseconds(&self) -> f64 {
        let script = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(() => \
                      done(performance.getEntriesByType('navigation')[0].loadEventEnd)))";
        self.wait(self.page.execute_async(script, Vec::new())).json().as_f64().unwrap()
    }

    /// Ends the session. The page made no error, and asked for no other file.
    pub fn close(self) {
        let console = self.wait(self.page.get_log("browser"));
        let wrong: Vec<_> = console.iter().filter(|entry| entry.level != "DEBUG").collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(self.script("return performance.getEntriesByType('resource')"), json!([]));
        let events = self.wait(self.page.get_log("performance"));
        assert!(!events.is_empty(), "no log of what was asked for");
        let asked: Vec<String> = events.iter().filter_map(|event| asked(&event.message)).collect();
        // What the browser itself does before the page, and files that the page made.
        let foreign = |url: &&String| {
            !["data:", "about:", "chrome", "blob:"].iter().any(|of| url.starts_with(of))
        };
        assert_eq!(asked.iter().filter(foreign).collect::<Vec<_>>(), [&self.address]);
        self.wait(self.page.clone().quit());
    }
}

/// The address that was asked for, if an event of the log is that of a request.
fn asked(event: &str) -> Option<String> {
    let event: Value = serde_json::from_str(event).unwrap();
    let message = &event["message"];
    let request = message["method"] == "Network.requestWillBeSent";
    request.then(|| message["params"]["request"]["url"].as_str().unwrap().to_owned())
}

/// What there is at last; none where it does not come within the limit.
fn awaited<T>(mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + LIMIT;
    while Instant::now() < end {
        let found = find();
        if found.is_some() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}
