// One stream of changes for all pages of a browser: a browser has few connections to one host, and each
// stream takes one for good. Runs as a shared worker.

const pages = new Set();
let source = null;

function listen() {
  source = new EventSource("/events");
  source.addEventListener("changed", (event) => {
    for (const page of pages) page.postMessage(event.data);
  });
}

onconnect = (event) => {
  const [page] = event.ports;
  page.onmessage = ({ data }) => {
    if (data === "bye") pages.delete(page);
    else pages.add(page);
    // With nobody to tell, the connection is given back.
    if (pages.size === 0) {
      source?.close();
      source = null;
    } else if (!source) listen();
  };
};
