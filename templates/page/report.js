(() => {
  // Pictures of the network and of switches: what is under the pointer or has the focus is told below.
  const named = "[data-node], [data-channel], .crosspoint";
  const ends = (link) => {
    const node = (name) => (name ? [name.split(":")[0]] : []);
    return [...node(link.dataset.channel), ...node(link.dataset.back)];
  };
  for (const figure of all("figure.drawn")) {
    const picture = figure.querySelector(".picture");
    const output = figure.querySelector("output");
    const items = all(named, picture);
    const nodes = items.filter((item) => item.dataset.node);
    // A node with the channels that leave it; a column of crosspoints.
    const groups = new Map(nodes.map((node) => [node.dataset.node, [node]]));
    for (const item of items.filter((other) => !nodes.includes(other))) {
      const names = item.dataset.channel ? ends(item) : ["x" + item.getAttribute("cx")];
      for (const name of names) {
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(item);
      }
    }
    const group = (item) => {
      const name = item.dataset.node ?? (item.dataset.channel ? ends(item)[0] : "x" + item.getAttribute("cx"));
      return groups.get(name);
    };
    let here = items.find((item) => item.dataset.node) ?? items[0];
    let within = here && group(here);
    if (here) here.setAttribute("tabindex", "0");
    const tell = (item) => {
      if (!within.includes(item)) within = group(item);
      here.classList.remove("here");
      here.setAttribute("tabindex", "-1");
      here = item;
      here.classList.add("here");
      here.setAttribute("tabindex", "0");
      here.setAttribute("role", "img");
      output.textContent = here.querySelector("title").textContent;
    };
    // Lines are thin: what is near counts.
    const under = ({ clientX, clientY }) => {
      for (const [x, y] of [[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4]]) {
        const item = document.elementFromPoint(clientX + x, clientY + y)?.closest(named);
        if (item && picture.contains(item)) return item;
      }
      return undefined;
    };
    picture.addEventListener("pointermove", (event) => {
      const item = moved(event) ? under(event) : undefined;
      if (item && !item.classList.contains("here")) tell(item);
    });
    figure.addEventListener("focusin", (event) => {
      const item = event.target.closest(named);
      if (item) tell(item);
    });
    picture.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      const step = steps[event.key];
      if (step === undefined || !here) return;
      const across = event.key === "ArrowRight" || event.key === "ArrowLeft";
      const line = across ? (nodes.length > 0 ? nodes : items) : within;
      const from = across && nodes.length > 0 ? within[0] : here;
      event.preventDefault();
      if (across) within = group(line[(line.indexOf(from) + step + line.length) % line.length]);
      const next = line[(line.indexOf(from) + step + line.length) % line.length];
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
  for (const zoom of all("input[data-zooms]")) {
    const picture = zoom.closest("figure").querySelector(".picture");
    zoom.addEventListener("input", () => {
      picture.style.width = 100 * zoom.value + "%";
      picture.style.maxHeight = zoom.value === zoom.min ? "" : "none";
    });
  }

  // The route between two terminals.
  const source = document.getElementById("routes");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const ports = data.ports.length;
  const words = new Map();
  for (let at = 0; at !== data.sources.length; at += 2) {
    words.set(data.sources[at], data.words[data.sources[at + 1]]);
  }
  // The hops of a word from a source, where it leads to the destination.
  const walked = (from, to, word) => {
    const [, start, inject] = data.terminals[from];
    const [, , , end, local, eject] = data.terminals[to];
    const hops = [];
    let node = start;
    let input = inject;
    let at = word;
    for (;;) {
      const [output, vc, header, next] = data.hops.slice(4 * at, 4 * at + 4);
      const ejects = output >= ports;
      const name = ejects ? eject : data.ports[output] + (data.several_vcs ? " vc" + vc : "");
      hops.push({ node, output, cells: [hops.length, data.nodes[node], input, name, data.headers[header]] });
      if (ejects) return node === end && output - ports === local ? hops : undefined;
      const wire = data.wires[node * ports + output];
      if (wire === -1) return undefined;
      node = Math.floor(wire / ports);
      input = data.ports[wire % ports] + (data.several_vcs ? " vc" + vc : "");
      at = next;
    }
  };
  const routed = (from, to) => {
    for (const word of words.get(from)) {
      const hops = walked(from, to, word);
      if (hops) return hops;
    }
    return [];
  };
  // Channels of a shortest path.
  const distance = (from, to) => {
    const far = new Map([[from, 0]]);
    for (const [node, steps] of far) {
      if (node === to) return steps;
      for (const wire of data.wires.slice(node * ports, (node + 1) * ports)) {
        const next = Math.floor(wire / ports);
        if (wire !== -1 && !far.has(next)) far.set(next, steps + 1);
      }
    }
    return undefined;
  };
  const drawing = document.querySelector("#figure-network .picture");
  const shapes = new Map();
  for (const shape of drawing ? all(named, drawing) : []) {
    for (const name of [shape.dataset.node, shape.dataset.channel, shape.dataset.back]) {
      if (name !== undefined) shapes.set(name, shape);
    }
  }
  // The route in the drawing lies over all else.
  const over = document.createElementNS("http://www.w3.org/2000/svg", "g");
  over.setAttribute("class", "over");
  drawing?.append(over);
  const [from, to] = ["from", "to"].map((id) => document.getElementById(id));
  const show = () => {
    const hops = routed(Number(from.value), Number(to.value));
    const length = hops.length - 1;
    const least = distance(hops[0].node, hops[length].node);
    const way = least === length ? "a shortest path" : "the distance is " + least;
    const [start, end] = [from, to].map((choice) => data.terminals[choice.value][0]);
    document.getElementById("said").textContent =
      data.title + ": " + start + " to " + end + ", " + length + (length === 1 ? " channel (" : " channels (") + way + ")";
    const row = (hop) => {
      const line = document.createElement("tr");
      line.append(...hop.cells.map((words) => {
        const at = document.createElement("td");
        at.textContent = words;
        return at;
      }));
      return line;
    };
    document.querySelector("#hops tbody").replaceChildren(...hops.map(row));
    const names = hops.flatMap((hop) => [hop.node + ":" + hop.output, String(hop.node)]);
    const crossed = names.map((name) => shapes.get(name)).filter((shape) => shape);
    over.replaceChildren(...crossed.map((shape) => shape.cloneNode(true)));
    all("[tabindex]", over).forEach((shape) => shape.removeAttribute("tabindex"));
  };
  const option = (terminal) => new Option(data.terminals[terminal][0], terminal);
  from.append(...Array.from(words.keys(), option));
  const takes = data.terminals.flatMap((terminal, at) => (terminal[3] === -1 ? [] : [at]));
  const offer = () => {
    const chosen = to.value;
    const there = data.flows ? takes.filter((at) => routed(Number(from.value), at).length > 0) : takes;
    to.replaceChildren(...there.map(option));
    to.selectedIndex = there.includes(Number(chosen)) && chosen !== "" ? there.indexOf(Number(chosen)) : to.length - 1;
    show();
  };
  from.addEventListener("change", data.flows ? offer : show);
  to.addEventListener("change", show);
  offer();
})();
