//! `docs/` is a book: MkDocs builds it strictly, each page leads to the next, the first page lists
//! them all, and nothing in it is loaded from a network.

use regex::Regex;
use std::fs;
use std::path::Path;
use turnpike_tests::mkdocs::Mkdocs;
use turnpike_tests::require;

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path.as_ref()).unwrap_or_else(|e| panic!("{}: {e}", path.as_ref().display()))
}

fn all(pattern: &str, text: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

/// The pages in the order of reading.
fn pages() -> Vec<String> {
    all(r"(?m)^ +- .*?(\w+)\.md$", &read(top().join("mkdocs.yml")))
}

#[test]
fn the_first_page_lists_the_others_in_order() {
    let pages = pages();
    assert!(pages.len() > 15 && pages[0] == "index", "{pages:?}");
    let listed = all(r"(?m)^- \[[^]]*\]\((\w+)\.md\)", &read(top().join("docs/index.md")));
    assert_eq!(listed, pages[1..]);
}

#[test]
fn the_book_is_built_and_loads_nothing_from_a_network() {
    let Some(mkdocs) = require::<Mkdocs>() else { return };
    let folder = tempfile::tempdir().unwrap();
    mkdocs.build(top(), folder.path()).assert_clean();
    let pages = pages();
    for (number, page) in pages.iter().enumerate() {
        let text = read(folder.path().join(format!("{page}.html")));
        let next = all(r#"<a rel="next" href="(\w+)\.html""#, &text);
        assert_eq!(next.first(), pages.get(number + 1), "{page}");
        let loads = all(r#"((?:src|<link[^>]*href)="(?:\w+:)?//[^"]*)"#, &text);
        assert!(loads.is_empty(), "{page}: {loads:?}");
        let left = markdown_left(&text);
        assert!(left.is_empty(), "{page}: no HTML was made of {left:?}");
    }
    for style in fs::read_dir(folder.path().join("css")).unwrap() {
        let path = style.unwrap().path();
        let loads = all(r#"(url\(['"]?(?:\w+:)?//[^)]*)"#, &read(&path));
        assert!(path.is_dir() || loads.is_empty(), "{}: {loads:?}", path.display());
    }
}

/// Lines in paragraphs that were meant as a list, a table or a block of code: MkDocs wants an empty
/// line before them.
fn markdown_left(page: &str) -> Vec<String> {
    let code = Regex::new(r"(?s)<pre>.*?</pre>").unwrap();
    let page = code.replace_all(page, "");
    let paragraphs = all(r"(?s)<(?:p|li)>(.*?)</(?:p|li)>", &page).join("\n");
    all(r"(?m)^ *((?:[-*] |\d+\. |\||```).*)", &paragraphs)
}

#[test]
fn what_is_wrong_in_a_book_is_found() {
    assert_eq!(markdown_left("<p>So:\n- one\n- two</p><pre>\n- three</pre>"), ["- one", "- two"]);
    let Some(mkdocs) = require::<Mkdocs>() else { return };
    let cases = [
        ("index.md", "[nowhere](nowhere.md)", "nowhere.md"),
        ("index.md", "[no heading](index.md#none)", "#none"),
        ("other.md", "not in the index", "other.md"),
    ];
    for (file, text, finding) in cases {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path();
        fs::create_dir(project.join("docs")).unwrap();
        let settings = read(top().join("mkdocs.yml"));
        let before = settings.split("nav:\n  - ").next().unwrap();
        fs::write(project.join("mkdocs.yml"), format!("{before}nav:\n  - index.md\n")).unwrap();
        fs::write(project.join("docs/index.md"), "# A book\n").unwrap();
        let page = project.join("docs").join(file);
        let book = mkdocs.build(project, &project.join("book"));
        assert!(book.is_clean(), "{book}");
        fs::write(page, format!("# A page\n\n{text}\n")).unwrap();
        let book = mkdocs.build(project, &project.join("book"));
        assert!(!book.run.success() && book.mentions(finding), "{text}: {book}");
    }
}
