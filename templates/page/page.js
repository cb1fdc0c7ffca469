"use strict";
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
document.documentElement.classList.add("scripted");

// Whether the pointer itself moved: where a page scrolls under it, browsers tell of moves as well.
let pointer = "";
const moved = ({ clientX, clientY }) => {
  const [last, now] = [pointer, clientX + " " + clientY];
  pointer = now;
  return now !== last;
};

// A chart as a file: what style sheets say of a shape is written into it.
const styles = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-family",
  "font-size", "font-weight", "text-anchor", "marker-end",
];
const styled = (picture) => {
  const copy = picture.cloneNode(true);
  const [shapes, copies] = [all("*", picture), all("*", copy)];
  shapes.forEach((shape, at) => {
    const computed = getComputedStyle(shape);
    for (const style of styles) copies[at].setAttribute(style, computed.getPropertyValue(style));
    for (const name of ["tabindex", "data-x", "data-y"]) copies[at].removeAttribute(name);
  });
  all(".curve.off", copy).forEach((curve) => curve.remove());
  return copy;
};
// A chart with the names of its curves below it, which stand in the list of curves on the page.
const still = (picture) => {
  const copy = styled(picture);
  const { x, y, width, height } = picture.viewBox.baseVal;
  let bottom = height;
  const curves = picture.matches(".chart") ? all("input[data-shows]:checked") : [];
  for (const choice of curves) {
    const sign = styled(choice.parentElement.querySelector("svg"));
    sign.setAttribute("x", 64);
    sign.setAttribute("y", bottom);
    const name = copy.querySelector(".heading").cloneNode();
    name.setAttribute("x", 118);
    name.setAttribute("y", bottom + 14);
    name.setAttribute("font-size", "13px");
    name.setAttribute("font-weight", "400");
    name.textContent = choice.dataset.name;
    copy.append(sign, name);
    bottom += 24;
  }
  copy.querySelector(".paper").setAttribute("height", bottom);
  copy.setAttribute("viewBox", [x, y, width, bottom].join(" "));
  copy.setAttribute("width", width);
  copy.setAttribute("height", bottom);
  return new XMLSerializer().serializeToString(copy) + "\n";
};
const save = (name, text) => {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};
for (const button of all("button[data-saves]")) {
  button.addEventListener("click", () => {
    const picture = button.closest("figure").querySelector(".chart, .picture");
    all(".here", picture).forEach((shape) => shape.classList.remove("here"));
    save(button.dataset.saves, still(picture));
  });
}

// Texts to the clipboard; by the older way where a browser refuses the newer.
const text = (element) => (element.value === undefined ? element.textContent : element.value);
const copyByHand = (words) => {
  const area = document.createElement("textarea");
  area.value = words;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
};
// A table as CSV.
const cell = (words) => (/[",\n]/.test(words) ? '"' + words.replaceAll('"', '""') + '"' : words);
const csv = (table) =>
  all("tr", table).map((row) => all("th, td", row).map((at) => cell(at.textContent.trim())).join(",") + "\n");
for (const button of all("button[data-copies]")) {
  const status = button.parentElement.querySelector("[role=status]");
  button.addEventListener("click", async () => {
    const from = document.getElementById(button.dataset.copies);
    const words = from.matches("table") ? csv(from).join("") : text(from);
    let copied = true;
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      copied = copyByHand(words);
      button.focus();
    }
    status.textContent = copied ? "Copied." : "The browser does not allow it: select the text below.";
  });
}
