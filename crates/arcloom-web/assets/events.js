// A run as it goes on: the server sends the changed part of the page.

const live = document.querySelector("[data-events]");
if (live) {
  const source = new EventSource(live.dataset.events);
  source.addEventListener("live", (event) => {
    const page = new DOMParser().parseFromString(event.data, "text/html");
    live.replaceChildren(...page.body.childNodes);
    live.dataset.heard = String(Number(live.dataset.heard ?? 0) + 1);
  });
  source.addEventListener("gone", (event) => {
    live.classList.add("stale");
    live.title = event.data;
  });
  addEventListener("pagehide", () => source.close());
}
