// Drawings larger than the screen: keys, fingers and the wheel with Ctrl zoom, dragging and arrows move.

/** The leftmost box that several programs share, or just the leftmost. */
function leftmost(svg) {
  const boxes = [...svg.querySelectorAll(".node")].map((node) => [node, node.getBoundingClientRect()]);
  const left = Math.min(...boxes.map(([, box]) => box.left));
  const first = boxes.filter(([, box]) => box.left < left + 2).map(([node]) => node);
  const shared = first.filter((node) => node.classList.contains("shared"));
  return shared[shared.length >> 1] ?? first[first.length >> 1];
}

for (const canvas of document.querySelectorAll("[data-zoom]")) {
  const svg = canvas.querySelector("svg");
  if (!svg) continue;
  const whole = svg.viewBox.baseVal;
  const home = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  // A small graph is not blown up beyond the page's own letters, which are larger on large screens.
  const usual = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const fits = svg.getScreenCTM().a / (1.15 * usual);
  if (fits > 1) {
    home.x -= (home.width * (fits - 1)) / 2;
    home.y -= (home.height * (fits - 1)) / 2;
    home.width *= fits;
    home.height *= fits;
  }
  let view = { ...home };

  const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);

  /** Zooms about a point of the drawing. */
  function zoom(factor, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) {
    const width = Math.min(home.width * 4, Math.max(80, view.width * factor));
    const by = width / view.width;
    view = {
      x: at.x - (at.x - view.x) * by,
      y: at.y - (at.y - view.y) * by,
      width,
      height: view.height * by,
    };
    show();
  }

  function move(x, y) {
    view.x += x * view.width;
    view.y += y * view.height;
    show();
  }

  /** The point of the drawing under the pointer. */
  function point(event) {
    const from = svg.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(from);
  }

  show();

  // What is too large to be read as a whole begins where it matters, in letters that can be read: a
  // lineage at the chosen program, a graph at the left, where most programs begin alike.
  const begin = canvas.dataset.zoom === "chosen" ? svg.querySelector(".chosen") : leftmost(svg);
  if (begin && svg.getScreenCTM().a < 0.8 * usual) {
    const box = begin.getBoundingClientRect();
    const at = point({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
    const [width, height] = [canvas.clientWidth / usual, canvas.clientHeight / usual];
    const x = canvas.dataset.zoom === "chosen" ? at.x - width / 2 : home.x;
    // Nothing is shown beyond the drawing's ends as long as there is enough of it.
    const within = (y) => Math.max(home.y, Math.min(y, home.y + home.height - height));
    view = { x, y: height < home.height ? within(at.y - height * 0.4) : home.y, width, height };
    show();
  }

  // For those who have neither wheel nor keys at hand.
  const all = () => {
    view = { ...home };
    show();
  };
  const tools = document.createElement("p");
  tools.className = "zooms";
  for (const [sign, name, act] of [["+", "larger", () => zoom(1 / 1.25)], ["−", "smaller", () => zoom(1.25)], ["⤢", "all of it", all]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    tools.append(button);
  }
  canvas.append(tools);

  // Without Ctrl the wheel scrolls the page, as everywhere.
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, point(event));
  }, { passive: false });

  const pointers = new Map();
  let dragged = false;
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    dragged = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const scale = svg.getScreenCTM().a;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    if (pointers.size === 1) {
      if (Math.abs(dx) + Math.abs(dy) > 3 || dragged) {
        dragged = true;
        canvas.setPointerCapture(event.pointerId);
        view.x -= dx / scale;
        view.y -= dy / scale;
        show();
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }
      return;
    }
    // Two fingers.
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    const before = spread();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    dragged = true;
    if (spread() > 0) zoom(before / spread(), point(event));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  // A drag that ends on a link does not follow it.
  canvas.addEventListener("click", (event) => dragged && event.preventDefault(), true);

  // What a box stands for is shown beside the drawing, which stays where it is.
  const details = document.getElementById(canvas.dataset.details ?? "");
  if (details) {
    canvas.addEventListener("click", async (event) => {
      const link = event.target.closest("a");
      if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const address = new URL(link.href.baseVal ?? link.href, location.href);
      const response = await fetch(address, { headers: { "x-part": "1" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const part = page.getElementById(details.id);
      if (!part) return location.assign(address);
      details.replaceChildren(...part.childNodes);
      history.replaceState(null, "", address);
    });
  }

  canvas.addEventListener("keydown", (event) => {
    const act = {
      "+": () => zoom(1 / 1.25),
      "=": () => zoom(1 / 1.25),
      "-": () => zoom(1.25),
      0: all,
      ArrowLeft: () => move(-0.1, 0),
      ArrowRight: () => move(0.1, 0),
      ArrowUp: () => move(0, -0.1),
      ArrowDown: () => move(0, 0.1),
    }[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
}
