// A run as it goes on: when the archive has changed, the changed part of the page is asked for anew. A page
// that nobody sees, and one of a run that is over, hears nothing.

import { watch as watchCharts } from "./charts.js";

const live = document.querySelector("[data-live-url]");
/** Milliseconds between two updates at least, and after which one is made unasked: a run that was killed
 * changes nothing any more. */
const LEAST = 1000;
const MOST = 3000;

const isOver = () => live.querySelector("[data-over]") !== null;

if (live) {
  let last = performance.now();
  let waiting = 0;
  let worker = null;
  let source = null;

  async function update() {
    waiting = 0;
    last = performance.now();
    const response = await fetch(live.dataset.liveUrl, { headers: { "x-part": "1" } }).catch(() => null);
    if (!response) return;
    live.classList.toggle("stale", !response.ok);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const scrolled = [...live.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
    live.replaceChildren(...page.body.childNodes);
    live.querySelectorAll(".scroll").forEach((part, n) => (part.scrollLeft = scrolled[n] ?? 0));
    watchCharts(live);
    // For tests, and for whoever wants to know.
    live.dataset.heard = String(Number(live.dataset.heard ?? 0) + 1);
    if (isOver()) leave();
  }

  function changed() {
    if (document.hidden || waiting || isOver()) return;
    waiting = setTimeout(update, Math.max(0, last + LEAST - performance.now()));
  }

  function join() {
    if (document.hidden || isOver()) return;
    if (globalThis.SharedWorker) {
      if (!worker) {
        worker = new SharedWorker("/assets/listen.js");
        worker.port.onmessage = changed;
      }
      worker.port.postMessage("hello");
    } else if (!source) {
      source = new EventSource("/events");
      source.addEventListener("changed", changed);
    }
  }

  function leave() {
    worker?.port.postMessage("bye");
    source?.close();
    source = null;
  }

  setInterval(() => {
    if (!document.hidden && !isOver() && performance.now() - last > MOST) changed();
  }, MOST);
  addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
    else {
      join();
      changed();
    }
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", join);
  join();
}
