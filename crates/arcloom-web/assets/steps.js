// Programs: stepping through them, and editing them with the result at once.

import { isTyping } from "./page.js";

const KEYWORDS = new Set(["def", "return", "lambda", "from", "import"]);
const TOKEN = /(#[^\n]*)|([A-Za-z_]\w*)|(\d+)/g;

/** Text with its words in colours, as nodes. */
function painted(text) {
  const parts = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(TOKEN)) {
    const [word, comment, name, number] = found;
    const called = name && text[found.index + word.length] === "(";
    const kind = comment ? "m" : number ? "n" : KEYWORDS.has(name) ? "k" : called ? "f"
      : /^[A-Z][A-Z_0-9]*$/.test(name) && name.length > 1 ? "c" : "";
    parts.append(text.slice(at, found.index));
    if (kind) {
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = word;
      parts.append(span);
    } else parts.append(word);
    at = found.index + word.length;
  }
  parts.append(text.slice(at), "\n");
  return parts;
}

/** Posts a form and gives the part of a page that answers it. */
async function ask(form) {
  const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  return [response.ok, await response.text()];
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

// -- Steps

const stage = document.getElementById("trace");
const lens = document.querySelector(".lens");
let current = -1;

const steps = () => [...(stage?.querySelectorAll(".step") ?? [])];

/** Makes a step the chosen one and shows its value large. */
function choose(n, scroll = true) {
  const all = steps();
  if (all.length === 0) return;
  current = Math.max(0, Math.min(all.length - 1, n));
  all.forEach((step, k) => {
    if (k === current) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  });
  const step = all[current];
  if (scroll) step.scrollIntoView({ block: "nearest" });
  if (!lens) return;
  const title = document.createElement("h2");
  title.textContent = `Step ${current + 1} of ${all.length}`;
  const line = step.querySelector(".line").cloneNode(true);
  const type = step.querySelector(".type").cloneNode(true);
  const value = step.querySelector(".shown").cloneNode(true);
  lens.replaceChildren(title, line, type, value);
  lens.hidden = false;
}

stage?.addEventListener("click", (event) => {
  const pair = event.target.closest("[data-pair]");
  if (pair && editor) {
    event.preventDefault();
    editor.elements.pair.value = pair.dataset.pair;
    const address = new URL(pair.href);
    history.replaceState(null, "", address);
    answer();
    return;
  }
  const step = event.target.closest(".step");
  if (step && !event.target.closest("a")) choose(Number(step.dataset.step), false);
});

document.addEventListener("keydown", (event) => {
  if (!stage || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const last = steps().length - 1;
  const pairs = [...stage.querySelectorAll("[data-pair]")];
  const pair = pairs.findIndex((link) => link.getAttribute("aria-current"));
  const act = {
    j: () => choose(current + 1),
    ArrowDown: () => choose(current + 1),
    k: () => choose(current - 1),
    ArrowUp: () => choose(current - 1),
    Home: () => choose(0),
    End: () => choose(last),
    "[": () => pairs[pair - 1]?.click(),
    "]": () => pairs[pair + 1]?.click(),
    e: () => editor?.elements.text.focus(),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

// -- The editor

const editor = document.querySelector("form[data-editor]");
let turn = 0;

/** Asks what the program in the editor does and shows it. */
async function answer() {
  const mine = (turn += 1);
  const begun = performance.now();
  const [good, html] = await ask(editor);
  if (mine !== turn) return; // A later answer is on its way.
  const status = editor.querySelector(".status");
  const part = good ? parsed(html).querySelector(".trace") : null;
  const wrong = part?.dataset.error;
  editor.classList.toggle("wrong", !part || wrong !== undefined);
  stage.classList.toggle("stale", !part || wrong !== undefined);
  if (!part) {
    status.textContent = html;
  } else if (wrong !== undefined) {
    status.textContent = part.textContent.trim();
  } else {
    stage.replaceChildren(part);
    status.textContent = "";
    if (current >= 0) choose(current, false);
  }
  // For tests, and for whoever wants to know.
  editor.dataset.answered = String(mine);
  editor.dataset.took = String(Math.round(performance.now() - begun));
}

if (editor) {
  const area = editor.elements.text;
  const paint = editor.querySelector(".paint");
  const reset = editor.querySelector("[data-reset]");
  const original = area.value;
  const repaint = () => paint.replaceChildren(painted(area.value));
  editor.classList.add("is-live");
  repaint();
  area.addEventListener("scroll", () => {
    paint.scrollTop = area.scrollTop;
    paint.scrollLeft = area.scrollLeft;
  });
  area.addEventListener("input", () => {
    repaint();
    reset.disabled = area.value === original;
    if (editor.elements.task) answer();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  });
  reset.addEventListener("click", () => {
    area.value = original;
    area.dispatchEvent(new Event("input"));
  });
  editor.addEventListener("submit", (event) => event.preventDefault());
}

// -- Expressions to try

for (const form of document.querySelectorAll("form[data-try]")) {
  let mine = 0;
  form.addEventListener("input", async () => {
    const now = (mine += 1);
    const [, html] = await ask(form);
    if (now === mine) document.getElementById(form.dataset.try).replaceChildren(...parsed(html).childNodes);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}
