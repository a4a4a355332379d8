// Drawings larger than the screen: wheel and keys zoom, dragging and arrows move.

for (const canvas of document.querySelectorAll("[data-zoom]")) {
  const svg = canvas.querySelector("svg");
  if (!svg) continue;
  const whole = svg.viewBox.baseVal;
  const home = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  // A small graph is not blown up.
  const fits = svg.getScreenCTM().a;
  if (fits > 1.15) {
    home.x -= (home.width * (fits / 1.15 - 1)) / 2;
    home.y -= (home.height * (fits / 1.15 - 1)) / 2;
    home.width *= fits / 1.15;
    home.height *= fits / 1.15;
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

  // A tall tree begins at its chosen program, in letters that can be read.
  const chosen = canvas.dataset.zoom === "chosen" ? svg.querySelector(".chosen") : null;
  const scale = svg.getScreenCTM().a;
  if (chosen && scale < 0.8) {
    const box = chosen.getBoundingClientRect();
    const at = point({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
    view = { x: at.x - canvas.clientWidth / 2, y: at.y - canvas.clientHeight * 0.6, width: canvas.clientWidth, height: canvas.clientHeight };
    show();
  }

  canvas.addEventListener("wheel", (event) => {
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

  canvas.addEventListener("keydown", (event) => {
    const act = {
      "+": () => zoom(1 / 1.25),
      "=": () => zoom(1 / 1.25),
      "-": () => zoom(1.25),
      0: () => {
        view = { ...home };
        show();
      },
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
