// Values of curves under the pointer. What is drawn is the server's; the values are beside it.

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

/** Seconds or generations, for people. */
const abscissa = (value, x) => (x === "s" ? `${NUMBER.format(value)} s` : `generation ${NUMBER.format(value)}`);

/** The last point that is not right of a value. */
function at(points, x) {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (points[middle][0] <= x) low = middle;
    else high = middle - 1;
  }
  const next = points[low + 1];
  return next && Math.abs(next[0] - x) < Math.abs(points[low][0] - x) ? next : points[low];
}

function follow(chart) {
  const svg = chart.querySelector("svg");
  const curves = [...chart.querySelectorAll(".curve")];
  const lines = JSON.parse(chart.dataset.lines ?? "[]").filter((line) => line.points.length > 0);
  if (!svg || curves.length === 0 || lines.length === 0) return;
  const tip = document.createElement("output");
  tip.className = "tip";
  tip.hidden = true;
  chart.append(tip);
  const [first, final] = [
    Math.min(...lines.map((line) => line.points[0][0])),
    Math.max(...lines.map((line) => line.points.at(-1)[0])),
  ];

  function show(clientX) {
    const boxes = curves.map((curve) => curve.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left));
    const right = Math.max(...boxes.map((box) => box.right));
    const part = Math.max(0, Math.min(1, (clientX - left) / Math.max(1, right - left)));
    const x = first + part * (final - first);
    const found = lines.map((line) => [line.name, at(line.points, x)]);
    const rows = found.map(([name, point]) => (lines.length > 1 ? `${name}: ` : "") + NUMBER.format(point[1]));
    tip.textContent = [abscissa(found[0][1][0], chart.dataset.x), ...rows].join("\n");
    tip.hidden = false;
    const frame = chart.getBoundingClientRect();
    const wide = tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(frame.width - wide - 8, clientX - frame.left - wide / 2))}px`;
  }

  const hide = () => (tip.hidden = true);
  svg.addEventListener("pointermove", (event) => show(event.clientX));
  svg.addEventListener("pointerdown", (event) => show(event.clientX));
  svg.addEventListener("pointerleave", hide);
}

/** Watches the charts of a part of the page. */
export function watch(part) {
  part.querySelectorAll(".chart[data-lines]").forEach(follow);
}

watch(document);
