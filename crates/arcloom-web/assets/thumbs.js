// Thumbnails of tasks with a sign on each cell, for those who want that. Pages without signs have
// pictures that need no script, and do not load this.

/** The palette's colours as bytes, from the style sheet's variables. */
function colors() {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: 16 }, (_, n) => {
    const hex = style.getPropertyValue(`--cell-${n}`).trim() || "#000000";
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  });
}

/** Pixels of a side with signs, and the most cells of one on which they can be seen. */
const SIDE = 240;
const LONGEST = 20;

/** The signs of colours as paths in a cell of ten units; nothing unless the visitor wants them. */
function signs() {
  if (!document.documentElement.dataset.symbols) return null;
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: 16 }, (_, n) => new Path2D(style.getPropertyValue(`--sign-${n}`).trim()));
}

/** Draws cells with their signs. */
function sign(made, columns, digits, palette, paths) {
  const context = made.getContext("2d");
  const size = Math.floor(SIDE / Math.max(made.width, made.height));
  made.width *= size;
  made.height *= size;
  context.lineCap = "round";
  for (let n = 0; n < digits.length; n += 1) {
    const color = parseInt(digits[n], 16);
    const [red, green, blue] = palette[color];
    const [x, y] = [(n % columns) * size, Math.floor(n / columns) * size];
    context.setTransform(1, 0, 0, 1, x, y);
    context.fillStyle = `rgb(${red} ${green} ${blue})`;
    context.fillRect(0, 0, size, size);
    context.setTransform(size / 10, 0, 0, size / 10, x, y);
    context.strokeStyle = red * 299 + green * 587 + blue * 114 > 120_000 ? "#111" : "#fff";
    context.stroke(paths[color]);
  }
}

/** A canvas with the cells of a grid, written as its width, a colon and its digits. */
function canvas(text, palette, paths) {
  const [width, digits] = text.split(":");
  const columns = Number(width);
  const rows = digits.length / columns;
  const made = document.createElement("canvas");
  made.width = columns;
  made.height = rows;
  // Squares of one size for all: long sides fill the room, short ones keep their shape.
  made.className = columns >= rows ? "wide" : "tall";
  if (paths && Math.max(columns, rows) <= LONGEST) {
    sign(made, columns, digits, palette, paths);
    made.dataset.signs = "1";
    return made;
  }
  const context = made.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let n = 0; n < digits.length; n += 1) {
    const [red, green, blue] = palette[parseInt(digits[n], 16)];
    image.data.set([red, green, blue, 255], 4 * n);
  }
  context.putImageData(image, 0, 0);
  return made;
}

function draw(item, palette, paths) {
  const pair = item.querySelector(".pair[data-in]");
  if (!pair || pair.querySelector("canvas")) return;
  pair.replaceChildren(canvas(pair.dataset.in, palette, paths), canvas(pair.dataset.out, palette, paths));
}

/** Draws thumbnails as they come into view, and a little before. */
const seen = new IntersectionObserver((entries) => {
  const [palette, paths] = [colors(), signs()];
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    draw(target, palette, paths);
    seen.unobserve(target);
  }
}, { rootMargin: "800px" });

/** The first are drawn before anything is shown: what is in view is only known afterwards. */
function watch() {
  seen.disconnect();
  const [palette, paths] = [colors(), signs()];
  const items = [...document.querySelectorAll(".thumbs li")];
  items.slice(0, 60).forEach((item) => draw(item, palette, paths));
  items.slice(60).forEach((item) => seen.observe(item));
}

watch();
document.addEventListener("refreshed", watch);
