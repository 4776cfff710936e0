// What the cases of both pages use: comparison, tokens, and reading of event streams.

/** Throws unless both values have the same JSON. */
export function equal(actual, expected, label = "") {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${label}${label && ": "}got ${got}, expected ${wanted}`);
}

/** Throws unless a request fails without a response. */
export async function isDenied(request, label = "") {
  const result = await request.then(
    (response) => `status ${response.status}`,
    (error) => error.name,
  );
  equal(result, "TypeError", label);
}

let tokens = 0;

/** Returns a name for the requests of one case, under which the server records them. */
export function createToken() {
  tokens += 1;
  return `${Date.now()}-${Math.random().toString(36).slice(2)}-${tokens}`;
}

export function wait(delayMs) {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

/** Returns the requests that the server has recorded under a token. */
export async function recorded(api, token) {
  return (await fetch(`${api}/star/log?token=${token}`, { cache: "no-store" })).json();
}

/** Builds the URL of a route with its query. */
export function urlOf(api, path, query = {}) {
  return `${api}${path}?${new URLSearchParams(query)}`;
}

/**
 * Opens an event stream, and returns the first `count` events of some types as [type, data, lastEventId].
 */
export function readEvents(
  url,
  { count = 1, types = ["message"], limitMs = 8000, init = {} } = {},
) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url, init);
    const events = [];
    const end = (finish, value) => {
      clearTimeout(timer);
      source.close();
      finish(value);
    };
    const timer = setTimeout(() => {
      end(reject, new Error(`${events.length} of ${count} events: ${JSON.stringify(events)}`));
    }, limitMs);
    for (const type of types) {
      source.addEventListener(type, (event) => {
        if (!(event instanceof MessageEvent)) return;
        events.push([event.type, event.data, event.lastEventId]);
        if (events.length === count) end(resolve, events);
      });
    }
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) end(reject, new Error("the stream failed"));
    });
  });
}

/** Opens an event stream, and returns true if it fails for ever, false if it opens. */
export function isRefused(url, init = {}) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url, init);
    const end = (result) => {
      clearTimeout(timer);
      source.close();
      resolve(result);
    };
    const timer = setTimeout(() => {
      source.close();
      reject(new Error("neither opened nor failed"));
    }, 8000);
    source.addEventListener("open", () => end(false));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) end(true);
    });
  });
}

/** Runs a script in a sandboxed frame, whose origin is null, and returns the value that it sends. */
export function inNullOrigin(script) {
  return new Promise((resolve, reject) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    const send = `(async () => { ${script} })().catch((error) => error.name)`;
    frame.srcdoc = `<script>${send}.then((value) => parent.postMessage({ value }, "*"))</script>`;
    const receive = ({ data, source }) => {
      if (source === frame.contentWindow) end(resolve, data.value);
    };
    const end = (finish, value) => {
      clearTimeout(timer);
      removeEventListener("message", receive);
      frame.remove();
      finish(value);
    };
    const timer = setTimeout(() => end(reject, new Error("the frame sent nothing")), 8000);
    addEventListener("message", receive);
    document.body.append(frame);
  });
}
