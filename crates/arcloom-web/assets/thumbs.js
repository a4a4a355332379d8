// Thumbnails of tasks: each cell is one pixel of a small canvas, which the style sheet enlarges.

/** The palette's colours as bytes, from the style sheet's variables. */
function colors() {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: 16 }, (_, n) => {
    const hex = style.getPropertyValue(`--cell-${n}`).trim() || "#000000";
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  });
}

/** A canvas with the cells of a grid, written as its width, a colon and its digits. */
function canvas(text, palette) {
  const [width, digits] = text.split(":");
  const columns = Number(width);
  const rows = digits.length / columns;
  const made = document.createElement("canvas");
  made.width = columns;
  made.height = rows;
  // Squares of one size for all: long sides fill the room, short ones keep their shape.
  made.className = columns >= rows ? "wide" : "tall";
  const context = made.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let n = 0; n < digits.length; n += 1) {
    const [red, green, blue] = palette[parseInt(digits[n], 16)];
    image.data.set([red, green, blue, 255], 4 * n);
  }
  context.putImageData(image, 0, 0);
  return made;
}

function draw(item, palette) {
  const pair = item.querySelector(".pair:empty");
  pair?.append(canvas(pair.dataset.in, palette), canvas(pair.dataset.out, palette));
}

/** Draws thumbnails as they come into view, and a little before. */
const seen = new IntersectionObserver((entries) => {
  const palette = colors();
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    draw(target, palette);
    seen.unobserve(target);
  }
  performance.mark("thumbs");
}, { rootMargin: "800px" });

/** The first are drawn before anything is shown: what is in view is only known afterwards. */
function watch() {
  seen.disconnect();
  const palette = colors();
  const items = [...document.querySelectorAll(".thumbs li")];
  items.slice(0, 60).forEach((item) => draw(item, palette));
  items.slice(60).forEach((item) => seen.observe(item));
  performance.mark("first-thumbs");
}

watch();
document.addEventListener("refreshed", watch);
