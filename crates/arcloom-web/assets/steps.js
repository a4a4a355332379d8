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
    status.dataset.wrong = "1";
  } else if (wrong !== undefined) {
    status.textContent = part.textContent.trim();
    status.dataset.wrong = "1";
  } else {
    stage.replaceChildren(part);
    if (status.dataset.wrong) status.textContent = "";
    delete status.dataset.wrong;
    if (current >= 0) choose(current, false);
  }
  // For tests, and for whoever wants to know.
  editor.dataset.answered = String(mine);
  editor.dataset.took = String(Math.round(performance.now() - begun));
}

if (editor) {
  const area = editor.elements.text;
  const pane = editor.querySelector(".pane");
  const paint = editor.querySelector(".paint");
  const gutter = editor.querySelector(".gutter");
  const status = editor.querySelector(".status");
  const reset = editor.querySelector("[data-reset]");
  const badge = document.querySelector("[data-edited]");
  const original = area.dataset.original;
  const { program, task } = editor.elements;
  const draft = `draft ${program.value} ${task?.value ?? ""}`;

  const say = (text) => (status.textContent = text);

  function repaint() {
    paint.replaceChildren(painted(area.value));
    const lines = area.value.split("\n").length;
    if (gutter.childElementCount !== lines) {
      gutter.replaceChildren(...Array.from({ length: lines }, (_, n) => {
        const number = document.createElement("span");
        number.textContent = String(n + 1);
        return number;
      }));
    }
    // A line that wraps is taller, and so is its number.
    if (pane.classList.contains("wraps")) measure();
  }

  /** Gives each number the height of its line as it wraps. */
  function measure() {
    const range = document.createRange();
    const walker = document.createTreeWalker(paint, NodeFilter.SHOW_TEXT);
    const tops = [];
    let begin = true;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.length; at += 1) {
        if (begin) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          tops.push(range.getBoundingClientRect().top);
        }
        begin = node.data[at] === "\n";
      }
    }
    const numbers = [...gutter.children];
    numbers.forEach((number, n) => {
      const height = tops[n + 1] !== undefined ? tops[n + 1] - tops[n] : 0;
      number.style.height = height > 0 ? `${height}px` : "";
    });
  }

  const scroll = () => {
    paint.scrollTop = area.scrollTop;
    paint.scrollLeft = area.scrollLeft;
    gutter.style.transform = `translateY(${-area.scrollTop}px)`;
  };

  /** What changes with the text besides the text. */
  function follow() {
    const edited = area.value !== original;
    reset.disabled = !edited;
    badge.hidden = !edited;
    document.title = document.title.replace(/^(\* )?/, edited ? "* " : "");
    try {
      if (edited) localStorage.setItem(draft, area.value);
      else localStorage.removeItem(draft);
    } catch {
      // A browser that keeps nothing still edits.
    }
    repaint();
    scroll();
  }

  editor.classList.add("is-live");
  area.addEventListener("scroll", scroll);
  area.addEventListener("input", () => {
    follow();
    if (task) answer();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  });
  const put = (text) => {
    area.value = text;
    area.dispatchEvent(new Event("input"));
  };
  reset.addEventListener("click", () => {
    const address = new URL(location.href);
    address.searchParams.delete("text");
    history.replaceState(null, "", address);
    put(original);
  });
  editor.querySelector("[data-copy]").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(area.value);
      say("Copied.");
    } catch {
      area.select();
      say("Press Ctrl-C to copy.");
    }
  });
  const download = editor.querySelector("[data-download]");
  download.addEventListener("click", () => {
    URL.revokeObjectURL(download.href);
    download.href = URL.createObjectURL(new Blob([area.value], { type: "text/x-python" }));
  });
  editor.querySelector("[data-share]").addEventListener("click", async () => {
    const address = new URL(location.href);
    address.searchParams.set("text", area.value);
    history.replaceState(null, "", address);
    await navigator.clipboard?.writeText(address.href).catch(() => {});
    say("The address of this page has the text in it.");
  });
  const wrap = editor.querySelector("[data-wrap]");
  const setWrap = () => {
    pane.classList.toggle("wraps", wrap.checked);
    repaint();
    if (!wrap.checked) for (const number of gutter.children) number.style.height = "";
    scroll();
  };
  wrap.checked = localStorage.getItem("wrap") === "1";
  wrap.addEventListener("change", () => {
    localStorage.setItem("wrap", wrap.checked ? "1" : "0");
    setWrap();
  });
  new ResizeObserver(() => pane.classList.contains("wraps") && measure()).observe(pane);
  editor.querySelector("[data-save]")?.addEventListener("click", async (event) => {
    const response = await fetch(event.target.dataset.save, {
      method: "POST",
      body: new URLSearchParams(new FormData(editor)),
    });
    const html = await response.text();
    if (!response.ok) return say(html);
    localStorage.removeItem(draft);
    status.replaceChildren(...parsed(html).querySelector(".saved").childNodes);
  });
  editor.addEventListener("submit", (event) => event.preventDefault());

  // What was typed the last time counts, unless the address has a text.
  const kept = localStorage.getItem(draft);
  if (kept !== null && kept !== original && !new URLSearchParams(location.search).has("text")) {
    put(kept);
    say("Your draft from the last time. “Back to the original” drops it.");
  } else follow();
  setWrap();
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
