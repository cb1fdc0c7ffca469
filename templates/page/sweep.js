"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  document.documentElement.classList.add("scripted");

  // The latency that is shown.
  const choices = all("input[name=latency]");
  const choose = () => {
    for (const choice of choices) {
      document.getElementById("figure-" + choice.value).hidden = !choice.checked;
    }
  };
  choices.forEach((choice) => choice.addEventListener("change", choose));
  choose();

  // The points of a chart that can be seen, curve by curve.
  const curves = (chart) => all(".curve:not(.off)", chart).map((curve) => all(".point", curve));
  const place = (point) => ({ x: Number(point.dataset.x), y: Number(point.dataset.y) });

  // The point that is told of: one of a chart, and the one that Tab leads to.
  const tell = (chart, point) => {
    for (const other of all(".point.here, .point[tabindex='0']", chart)) {
      other.classList.remove("here");
      other.setAttribute("tabindex", "-1");
    }
    const output = chart.closest("figure").querySelector("output");
    if (point) {
      point.classList.add("here");
      point.setAttribute("tabindex", "0");
      output.textContent = point.querySelector("title").textContent;
    } else {
      output.textContent = "";
      const first = curves(chart).flat()[0];
      if (first) first.setAttribute("tabindex", "0");
    }
  };

  // The nearest point to the pointer, where one is near.
  const nearest = (chart, event) => {
    const matrix = chart.getScreenCTM();
    if (!matrix) return undefined;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let found;
    let least = 30;
    for (const point of curves(chart).flat()) {
      const { x, y } = place(point);
      const distance = Math.hypot(x - at.x, y - at.y);
      if (least > distance) {
        least = distance;
        found = point;
      }
    }
    return found;
  };

  // The point of another curve whose load is nearest.
  const across = (points, point) => {
    const distance = (other) => Math.abs(place(other).x - place(point).x);
    return points.reduce((best, other) => (distance(best) > distance(other) ? other : best));
  };

  // Where a key leads from a point.
  const step = (chart, point, key) => {
    const lines = curves(chart);
    const line = lines.findIndex((points) => points.includes(point));
    if (line === -1) return undefined;
    const points = lines[line];
    const at = points.indexOf(point);
    switch (key) {
      case "ArrowRight": return points[Math.min(at + 1, points.length - 1)];
      case "ArrowLeft": return points[Math.max(at - 1, 0)];
      case "Home": return points[0];
      case "End": return points[points.length - 1];
      case "ArrowDown": return across(lines[(line + 1) % lines.length], point);
      case "ArrowUp": return across(lines[(line + lines.length - 1) % lines.length], point);
      default: return undefined;
    }
  };

  for (const chart of all(".chart")) {
    const first = all(".point", chart)[0];
    if (first) first.setAttribute("tabindex", "0");
    chart.addEventListener("pointermove", (event) => {
      const point = nearest(chart, event);
      if (point) tell(chart, point);
    });
    chart.addEventListener("focusin", (event) => {
      const point = event.target.closest(".point");
      if (point) tell(chart, point);
    });
    chart.addEventListener("keydown", (event) => {
      const point = event.target.closest(".point");
      const next = point ? step(chart, point, event.key) : undefined;
      if (next) {
        event.preventDefault();
        next.focus();
      }
    });
  }

  // Curves on and off.
  const show = (choice) => {
    for (const chart of all(".chart")) {
      for (const curve of all(".curve[data-curve='" + choice.dataset.shows + "']", chart)) {
        curve.classList.toggle("off", !choice.checked);
      }
      if (chart.querySelector(".curve.off .point[tabindex='0']")) tell(chart, undefined);
      if (!chart.querySelector(".point[tabindex='0']")) tell(chart, undefined);
    }
  };
  for (const choice of all("input[data-shows]")) {
    choice.addEventListener("change", () => show(choice));
    // A browser may keep what was chosen before a page is loaded again.
    if (!choice.checked) show(choice);
  }

  // A chart as a file: what style sheets say of a shape is written into it.
  const styles = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-family",
    "font-size", "font-weight", "text-anchor",
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
  // With the names of its curves below it, which stand in the list of curves on the page.
  const still = (chart) => {
    const copy = styled(chart);
    const { width, height } = chart.viewBox.baseVal;
    let bottom = height;
    for (const choice of all("input[data-shows]:checked")) {
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
    copy.setAttribute("viewBox", [0, 0, width, bottom].join(" "));
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
      const chart = button.closest("figure").querySelector(".chart");
      all(".point.here", chart).forEach((point) => point.classList.remove("here"));
      save(button.dataset.saves, still(chart));
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
  for (const button of all("button[data-copies]")) {
    const status = button.parentElement.querySelector("[role=status]");
    button.addEventListener("click", async () => {
      const words = text(document.getElementById(button.dataset.copies));
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
})();
