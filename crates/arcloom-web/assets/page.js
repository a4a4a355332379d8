// What every page has: forms that answer while one types, and keys.

/** Replaces the part of the page that a form's results are in. */
async function refresh(form) {
  const address = new URL(form.action, location.href);
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  const turn = (form.turn = (form.turn ?? 0) + 1);
  const response = await fetch(address, { headers: { "x-part": "1" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (turn !== form.turn) return; // Another letter was typed meanwhile.
  const id = form.dataset.live;
  const found = page.getElementById(id) ?? page.body;
  document.getElementById(id).replaceChildren(...found.childNodes);
  history.replaceState(null, "", address);
  document.dispatchEvent(new Event("refreshed"));
}

for (const form of document.querySelectorAll("form[data-live]")) {
  form.classList.add("is-live");
  let wait;
  form.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => refresh(form), 60);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(wait);
    refresh(form);
  });
}

// A look is used as soon as it is chosen, and its menu stays open for the next choice.
for (const form of document.querySelectorAll(".settings form")) {
  const menu = form.closest("details");
  if (sessionStorage.getItem("look") === "open") {
    menu.open = true;
    form.elements[sessionStorage.getItem("look-at") ?? "palette"]?.focus();
  }
  sessionStorage.removeItem("look");
  form.classList.add("is-live");
  form.addEventListener("change", (event) => {
    sessionStorage.setItem("look", "open");
    sessionStorage.setItem("look-at", event.target.name);
    form.requestSubmit();
  });
}

// A program that is pinned is what others are compared with, on whatever page.
const pinned = () => localStorage.getItem("pinned") ?? "";
for (const link of document.querySelectorAll("a[data-pin]")) {
  const id = link.dataset.pin;
  const button = document.createElement("button");
  button.type = "button";
  const show = () => {
    button.textContent = pinned() === id ? "unpin" : "pin";
    button.setAttribute("aria-pressed", String(pinned() === id));
    const address = new URL(link.href, location.href);
    if (pinned() && pinned() !== id) {
      address.searchParams.set("a", pinned());
      address.searchParams.set("b", id);
      link.textContent = "compare with the pinned one";
    }
    link.href = address;
  };
  button.title = "keep this program to compare others with it";
  button.addEventListener("click", () => {
    if (pinned() === id) localStorage.removeItem("pinned");
    else localStorage.setItem("pinned", id);
    show();
  });
  link.before(button);
  show();
}
for (const field of document.querySelectorAll("input[data-pinned]")) {
  if (!field.value && pinned()) field.value = pinned();
}

/** True while keys are text. */
export const isTyping = (event) =>
  event.target.closest("input, textarea, select, [contenteditable]") !== null;

const follow = (rel) => document.querySelector(`a[rel="${rel}"]`)?.click();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && isTyping(event)) return event.target.blur();
  if (isTyping(event)) return;
  const act = {
    "/": () => document.querySelector("[data-search]")?.focus(),
    "?": () => document.getElementById("keys").showModal(),
    "[": () => document.querySelector("[data-pair]") ?? follow("prev"),
    "]": () => document.querySelector("[data-pair]") ?? follow("next"),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

document.querySelector(".keys")?.addEventListener("click", () => document.getElementById("keys").showModal());
