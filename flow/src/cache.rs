//! Results of the tools, kept in the user's cache folder by a digest of all that they depend
//! on.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use turnpike_base::bits::hexadecimal;
use turnpike_base::staging::Staging;

/// Part of every key: what is kept may mean something else in another version.
const FORMAT: &str = concat!("2 ", env!("CARGO_PKG_VERSION"));

/// SHA-256 of some text, in hexadecimal digits.
pub fn digest(text: impl AsRef<[u8]>) -> String {
    hexadecimal(&Sha256::digest(text))
}

/// All that a result depends on, digested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key(String);

impl Key {
    /// The key of a result that depends on these texts, in this order.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        // With their lengths: no two lists of texts run together alike.
        let all = std::iter::once(FORMAT).chain(parts);
        Self(digest(all.map(|part| format!("{}:{part}", part.len())).collect::<String>()))
    }

    /// Hexadecimal digits of the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The cache. Several processes may use it at once.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// A cache that keeps nothing and knows nothing.
    pub fn off() -> Self {
        Self { folder: None }
    }

    /// The cache in this folder, which is made when the first result is kept.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder: Some(folder) }
    }

    /// Value that is kept under the key. An entry that is damaged counts as none.
    pub fn get<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        parse(key, &fs::read_to_string(self.entry(key)?).ok()?)
    }

    /// Keeps a result: the whole of it or nothing.
    ///
    /// # Errors
    /// What the system says. The result is no worse for it.
    pub fn put(&self, key: &Key, value: &impl Serialize) -> io::Result<()> {
        let Some(path) = self.entry(key) else { return Ok(()) };
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let value = serde_json::to_string(value)?;
        let staging = Staging::within(folder)?;
        let fresh = staging.path().join("entry");
        fs::write(&fresh, format!("{}\n{value}", check_of(key, &value)))?;
        fs::rename(fresh, path)
    }

    /// Value that is kept under the key, or else what `work` gives, which is kept then.
    ///
    /// # Errors
    /// That of `work`.
    pub fn or<T: Serialize + DeserializeOwned, E>(
        &self,
        key: &Key,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(kept) = self.get(key) {
            return Ok(kept);
        }
        let value = work()?;
        // A cache that cannot be written to makes the next run slower, no more.
        let _ = self.put(key, &value);
        Ok(value)
    }

    fn entry(&self, key: &Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.json", key.0)))
    }
}

/// The value of an entry's text: a digest of its key and its value on the first line, then JSON.
/// `None` where it is damaged, or is another key's.
pub fn parse<T: DeserializeOwned>(key: &Key, text: &str) -> Option<T> {
    let (check, value) = text.split_once('\n')?;
    (check == check_of(key, value)).then(|| serde_json::from_str(value).ok())?
}

/// The first line of an entry.
pub fn check_of(key: &Key, value: &str) -> String {
    digest(format!("{}\n{value}", key.0))
}

/// Turnpike's folder for what can be made again: in `XDG_CACHE_HOME`, else in `~/.cache`;
/// `None` where the user has no home.
pub fn user_folder() -> Option<PathBuf> {
    Some(dirs::cache_dir()?.join("turnpike"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn keys_tell_apart_what_runs_together() {
        assert_eq!(Key::of(["a", "b"]), Key::of(["a", "b"]));
        for other in [&["ab"][..], &["a", "c"], &["a", "b", ""], &["", "a", "b"], &["b", "a"]] {
            assert_ne!(Key::of(["a", "b"]), Key::of(other.iter().copied()), "{other:?}");
        }
    }

    #[test]
    fn work_is_done_once_and_again_after_damage() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("not/yet/there"));
        let (key, other) = (Key::of(["a"]), Key::of(["b"]));
        let done = Cell::new(0);
        let ask = |cache: &Cache, key: &Key| {
            let work = || {
                done.set(done.get() + 1);
                Ok::<_, ()>(vec![1.5, 2.5])
            };
            assert_eq!(cache.or(key, work), Ok(vec![1.5, 2.5]));
            done.get()
        };
        assert_eq!((ask(&cache, &key), ask(&cache, &key), ask(&cache, &other)), (1, 1, 2));
        let entry = cache.entry(&key).unwrap();
        let whole = fs::read_to_string(&entry).unwrap();
        let changed = whole.replace("2.5", "3.5");
        for (runs, damaged) in (3..).zip(["", "{}", &whole[..whole.len() - 1], &changed, "\n"]) {
            fs::write(&entry, damaged).unwrap();
            assert_eq!(ask(&cache, &key), runs, "{damaged}");
            assert_eq!(fs::read_to_string(&entry).unwrap(), whole, "made again");
        }
        assert_eq!((ask(&cache, &key), ask(&cache, &other)), (7, 7));
        fs::copy(cache.entry(&other).unwrap(), &entry).unwrap();
        assert_eq!(ask(&cache, &key), 8, "what was kept under another key");
        let names = fs::read_dir(entry.parent().unwrap()).unwrap().count();
        assert_eq!(names, 2, "nothing else is left there");
        assert_eq!(ask(&Cache::off(), &key), 9);
        assert_eq!(ask(&Cache::off(), &key), 10);
    }

    #[test]
    fn a_failure_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let key = Key::of(["a"]);
        assert_eq!(cache.or(&key, || Err::<u32, _>("no")), Err("no"));
        assert_eq!(cache.or(&key, || Ok::<_, &str>(1)), Ok(1));
    }

    #[test]
    fn a_cache_that_cannot_be_written_does_no_harm() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::at(file.path().join("below a file"));
        assert!(cache.put(&Key::of(["a"]), &1).is_err());
        assert_eq!(cache.or(&Key::of(["a"]), || Ok::<_, ()>(1)), Ok(1));
    }
}
