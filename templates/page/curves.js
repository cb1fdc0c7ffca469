(() => {
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
      const point = moved(event) ? nearest(chart, event) : undefined;
      if (point) tell(chart, point);
    });
    // Not on the chart: a browser lets Tab lead to a picture that listens for the focus.
    chart.parentElement.addEventListener("focusin", (event) => {
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
})();
