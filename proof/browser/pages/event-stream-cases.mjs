// What a browser must make of the events, connections and failures of an application that uses `sse`.
// The expectations are those of the HTML standard, section 9.2, as the Web Platform Tests check them.
import {
  createToken,
  equal,
  inNullOrigin,
  isRefused,
  readEvents,
  recorded,
  urlOf,
  wait,
} from "./harness.mjs";

const message = (data, id = "") => ["message", data, id];

/** Title, events that the server sends, events that the page gets, and their types. */
const fields = [
  ["data", ["a"], [message("a")]],
  ["an empty string", [""], [message("")]],
  ["two messages", ["a", "b"], [message("a"), message("b")]],
  ["a line feed", ["a\nb"], [message("a\nb")]],
  ["a carriage return", ["a\rb"], [message("a\nb")]],
  ["CR LF", ["a\r\nb"], [message("a\nb")]],
  ["LF CR", ["a\n\rb"], [message("a\n\nb")]],
  ["line feeds alone", ["\n\n"], [message("\n\n")]],
  ["a line feed first", ["\na"], [message("\na")]],
  ["a line feed last", ["a\n"], [message("a\n")]],
  ["spaces around the data", ["  a  "], [message("  a  ")]],
  ["a tab first", ["\ta"], [message("\ta")]],
  ["a colon first", [":a"], [message(":a")]],
  ["data like fields", ["event: b\nid: 3\n\ndata: x"], [message("event: b\nid: 3\n\ndata: x")]],
  ["a byte order mark", ["\ufeffa"], [message("\ufeffa")]],
  ["a NUL", ["a\0b"], [message("a\0b")]],
  ["characters of two to four bytes", ["é€😀"], [message("é€😀")]],
  ["separators other than line ends", ["a\u2028b\u2029c\u0085d\u000be"]],
  ["an unpaired surrogate", ["a\ud800b"], [message("a\ufffdb")]],
  ["an object", [{ data: { a: [1, null] } }], [message('{"a":[1,null]}')]],
  ["numbers and null", [{ data: 0 }, { data: null }], [message("0"), message("null")]],
  ["false", [{ data: false }], [message("false")]],
  ["a named event", [{ event: "price", data: "1" }], [["price", "1", ""]]],
  ["a name with spaces", [{ event: " a  b ", data: "1" }], [[" a  b ", "1", ""]]],
  ["a name beyond ASCII", [{ event: "prix €", data: "1" }], [["prix €", "1", ""]]],
  ["a name with a colon", [{ event: "a: b", data: "1" }], [["a: b", "1", ""]]],
  ["an empty name", [{ event: "", data: "1" }], [message("1")]],
  ["the name message", [{ event: "message", data: "1" }], [message("1")]],
  ["the name open", [{ event: "open", data: "1" }], [["open", "1", ""]]],
  ["the name error", [{ event: "error", data: "1" }], [["error", "1", ""]]],
  ["a name is for one event", [{ event: "x", data: "1" }, "2"], [["x", "1", ""], message("2")]],
  ["a name without data", [{ event: "x" }, "2"], [message("2")], ["x", "message"]],
  ["an id", [{ id: "1", data: "a" }], [message("a", "1")]],
  ["an id stays", [{ id: "1", data: "a" }, "b"], [message("a", "1"), message("b", "1")]],
  [
    "an empty id resets",
    [
      { id: "1", data: "a" },
      { id: "", data: "b" },
    ],
    [message("a", "1"), message("b")],
  ],
  ["an id without data", [{ id: "7" }, "a"], [message("a", "7")]],
  ["an id with spaces", [{ id: " a b ", data: "a" }], [message("a", " a b ")]],
  ["an id beyond ASCII", [{ id: "é€", data: "a" }], [message("a", "é€")]],
  ["a comment", [{ comment: "c" }, "a"], [message("a")]],
  ["a comment of many lines", [{ comment: "c\ndata: x\n\ndata: y" }, "a"], [message("a")]],
  ["a comment with data", [{ comment: "c", data: "a" }], [message("a")]],
  [
    "all fields",
    [{ comment: "c", id: "1", event: "x", retryMs: 9, data: "a\nb" }],
    [["x", "a\nb", "1"]],
  ],
];

function fieldCase([title, items, expected, types]) {
  const wanted = expected ?? items.map((item) => message(item));
  const names = types ?? [...new Set(wanted.map(([type]) => type))];
  return {
    group: "fields of events",
    title,
    async run(api) {
      // A last message shows that nothing else has come before it.
      const all = [...items, { id: "", event: "last", data: "last" }];
      const url = urlOf(api, "/star/events", { items: JSON.stringify(all) });
      const events = await readEvents(url, {
        count: wanted.length + 1,
        types: [...new Set([...names, "message", "last"])],
      });
      equal(events, [...wanted, ["last", "last", ""]]);
    },
  };
}

const connection = {
  async "opens before the first event"(api) {
    const url = urlOf(api, "/star/events");
    const source = new EventSource(url);
    equal([source.readyState, source.url], [EventSource.CONNECTING, url]);
    await new Promise((resolve) => source.addEventListener("open", resolve, { once: true }));
    equal(source.readyState, EventSource.OPEN);
    source.close();
    equal(source.readyState, EventSource.CLOSED);
  },
  async "messages have the origin of the server and are trusted"(api) {
    const source = new EventSource(urlOf(api, "/star/events", { items: '["a"]' }));
    const event = await new Promise((resolve) => {
      source.addEventListener("message", resolve, { once: true });
    });
    source.close();
    equal(
      [event.origin, event.isTrusted, event.bubbles, event.cancelable],
      [api, true, false, false],
    );
  },
  async "the request accepts event streams"(api) {
    const token = createToken();
    await readEvents(urlOf(api, "/star/events", { token, items: '["a"]' }));
    const [{ method, headers }] = await recorded(api, token);
    equal(
      [method, headers.accept, headers["last-event-id"]],
      ["GET", "text/event-stream", undefined],
    );
  },
  async "an event arrives while the stream is open"(api) {
    const begun = performance.now();
    const url = urlOf(api, "/star/events", { items: '["early"]', lateMs: 2000 });
    equal(await readEvents(url), [message("early")]);
    equal(performance.now() - begun < 1500, true, "in time");
  },
  // workerd notices with the next bytes that the client has left.
  async "closing it closes the generator"(api) {
    const token = createToken();
    await readEvents(urlOf(api, "/star/events", { token, items: '["a"]', keepAliveMs: 200 }));
    for (let tries = 0; tries < 50; tries += 1) {
      if ((await (await fetch(urlOf(api, "/star/closed", { token }))).json()) === 1) return;
      await wait(100);
    }
    throw new Error("the generator stays open");
  },
  async "comments keep it alive without events"(api) {
    const query = { keepAliveMs: 50, lateMs: 500 };
    equal(await readEvents(urlOf(api, "/star/events", query)), [message("late")]);
    const abort = new AbortController();
    const { body } = await fetch(urlOf(api, "/star/events", query), { signal: abort.signal });
    const text = [];
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text.push(chunk);
      if (text.join("").includes("data: late")) break;
    }
    abort.abort();
    equal(/^(?::\n\n){2,}data: late\n\n/.test(text.join("")), true, JSON.stringify(text));
  },
  async "a thousand events arrive in order"(api) {
    const events = await readEvents(urlOf(api, "/star/many", { count: 1000 }), { count: 1000 });
    equal(
      events.map(([, data]) => Number(data)),
      Array.from({ length: 1000 }, (_, at) => at),
    );
  },
  async "data of a million characters arrives whole"(api) {
    const [[, data]] = await readEvents(urlOf(api, "/star/large", { characters: 1_000_000 }));
    equal([data.length, /^é+$/.test(data)], [1_000_000, true]);
  },
  async "middleware neither compresses, delays nor ends it"(api) {
    const events = await readEvents(urlOf(api, "/star/wrapped"), { count: 2 });
    equal(events, [message("one"), message("two")]);
    const { headers } = await fetch(urlOf(api, "/star/wrapped"));
    equal([headers.get("content-encoding"), headers.get("etag")], [null, null]);
  },
};

const reconnection = {
  async "continues after the last id until a 204"(api) {
    const token = createToken();
    const url = urlOf(api, "/star/resumed", { token, retryMs: 20 });
    const source = new EventSource(url);
    const data = [];
    source.addEventListener("message", (event) => data.push(event.data));
    await new Promise((resolve) => {
      source.addEventListener("error", () => {
        if (source.readyState === EventSource.CLOSED) resolve();
      });
    });
    equal(data, ["1", "2", "3", "4", "5", "6"]);
    await wait(200);
    const ids = (await recorded(api, token)).map(({ headers }) => headers["last-event-id"] ?? null);
    equal(ids, [null, "2", "4", "6"]);
  },
  async "waits for the delay of the stream"(api) {
    await checkDelay(urlOf(api, "/star/events", { items: '["a"]', end: "close", retryMs: 400 }));
  },
  async "waits for the delay of an event"(api) {
    const items = JSON.stringify([{ retryMs: 400, data: "a" }]);
    await checkDelay(urlOf(api, "/star/events", { items, end: "close" }));
  },
  async "sends no id if none was received"(api) {
    equal(await idsOfReconnect(api, ["a"]), [null, null]);
  },
  async "sends no id after an empty one"(api) {
    equal(
      await idsOfReconnect(api, [
        { id: "1", data: "a" },
        { id: "", data: "b" },
      ]),
      [null, null],
    );
  },
  async "sends an id with spaces"(api) {
    equal(await idsOfReconnect(api, [{ id: "a b", data: "a" }]), [null, "a b"]);
  },
  async "sends an id beyond ASCII as UTF-8"(api) {
    const [, id] = await idsOfReconnect(api, [{ id: "é€", data: "a" }]);
    // Runtimes decode header bytes as ISO-8859-1 or as UTF-8.
    const bytes = Uint8Array.from(id, (letter) => letter.charCodeAt(0));
    equal([id, new TextDecoder().decode(bytes)].includes("é€"), true, id);
  },
  async "follows an error of the generator"(api) {
    const token = createToken();
    const query = { token, items: '[{"id":"1","data":"a"}]', end: "throw", retryMs: 20 };
    const events = await readEvents(urlOf(api, "/star/events", query), { count: 2 });
    equal(events, [message("a", "1"), message("a", "1")]);
    const [, second] = await recorded(api, token);
    equal(second.headers["last-event-id"], "1");
  },
  async "follows an invalid event"(api) {
    const items = JSON.stringify(["a", { id: "x\ny", data: "never" }]);
    const events = await readEvents(urlOf(api, "/star/events", { items, retryMs: 20 }), {
      count: 2,
    });
    equal(events, [message("a"), message("a")]);
  },
};
for (const status of [204, 205, 404, 500, 503]) {
  reconnection[`ends with a ${status}`] = async (api) => {
    const token = createToken();
    const source = new EventSource(urlOf(api, "/star/ended", { token, status, retryMs: 20 }));
    await new Promise((resolve) => {
      source.addEventListener("error", () => {
        if (source.readyState === EventSource.CLOSED) resolve();
      });
    });
    await wait(200);
    equal((await recorded(api, token)).length, 2);
  };
}

/** A second connection follows after 400 ms, and not after the browser's own delay of 3 seconds. */
async function checkDelay(url) {
  const source = new EventSource(url);
  const times = [];
  await new Promise((resolve) => {
    source.addEventListener("message", () => {
      times.push(performance.now());
      if (times.length === 2) resolve();
    });
  });
  source.close();
  const delay = times[1] - times[0];
  equal(delay >= 390 && delay < 2500, true, `${Math.round(delay)} ms`);
}

/** Returns Last-Event-ID of two connections to a stream that ends. */
async function idsOfReconnect(api, items) {
  const token = createToken();
  const query = { token, items: JSON.stringify(items), end: "close", retryMs: 20 };
  await readEvents(urlOf(api, "/star/events", query), { count: items.length + 1 });
  return (await recorded(api, token))
    .slice(0, 2)
    .map(({ headers }) => headers["last-event-id"] ?? null);
}

const failures = {};
for (const status of [201, 202, 204, 205, 400, 401, 403, 404, 405, 410, 429, 500, 503]) {
  failures[`status ${status}`] = async (api) => {
    equal(await isRefused(urlOf(api, "/star/status", { status })), true);
  };
}
for (const type of ["application/json", "text/plain", "text/event-streamx", "text/html", ""]) {
  failures[`type ${type || "none"}`] = async (api) => {
    equal(await isRefused(urlOf(api, "/star/type", type === "" ? {} : { type })), true);
  };
}
for (const type of [
  "text/event-stream;charset=utf-8",
  "TEXT/Event-Stream",
  "text/event-stream;x=y",
]) {
  failures[`type ${type} is right`] = async (api) => {
    equal(await isRefused(urlOf(api, "/star/type", { type })), false);
  };
}
for (const status of [301, 302, 303, 307, 308]) {
  failures[`redirect by ${status} is followed`] = async (api) => {
    const to = urlOf("", "/star/events", { items: '["a"]' });
    equal(await readEvents(urlOf(api, "/star/redirect", { status, to })), [message("a")]);
  };
}
Object.assign(failures, {
  async "redirect to a failure"(api) {
    const to = urlOf("", "/star/status", { status: 404 });
    equal(await isRefused(urlOf(api, "/star/redirect", { to })), true);
  },
  async "an unknown path"(api) {
    equal(await isRefused(`${api}/star/nowhere`), true);
  },
  async "an error before the stream"(api) {
    equal(await isRefused(`${api}/star/error`), true);
  },
});

const origins = {};
for (const policy of ["star", "exact", "decided", "credentials"]) {
  origins[`${policy} allows`] = async (api) => {
    equal(await readEvents(urlOf(api, `/${policy}/events`, { items: '["a"]' })), [message("a")]);
  };
}
for (const policy of ["other", "null", "none"]) {
  origins[`${policy} denies`] = async (api) => {
    equal(await isRefused(urlOf(api, `/${policy}/events`)), true);
  };
}
Object.assign(origins, {
  async "star denies credentials"(api) {
    equal(await isRefused(urlOf(api, "/star/events"), { withCredentials: true }), true);
  },
  async "cookies are sent with credentials alone"(api) {
    const value = createToken();
    await fetch(urlOf(api, "/credentials/cookie", { value }), { credentials: "include" });
    for (const withCredentials of [true, false]) {
      const token = createToken();
      const url = urlOf(api, "/credentials/events", { token, items: '["a"]' });
      await readEvents(url, { init: { withCredentials } });
      const [{ headers }] = await recorded(api, token);
      const hasCookie = (headers.cookie ?? "").includes(`visitor=${value}`);
      equal(hasCookie, withCredentials, `withCredentials ${withCredentials}`);
    }
  },
  async "a reconnection with an id needs no preflight"(api) {
    const token = createToken();
    const query = { token, items: '[{"id":"1","data":"a"}]', end: "close", retryMs: 20 };
    await readEvents(urlOf(api, "/exact/events", query), { count: 2 });
    equal(
      (await recorded(api, token)).some(({ isPreflight }) => isPreflight),
      false,
    );
  },
  async "the origin null"(api) {
    for (const [policy, expected] of [
      ["star", "open"],
      ["null", "open"],
      ["exact", "error"],
    ]) {
      const script = `return new Promise((resolve) => {
        const source = new EventSource("${api}/${policy}/events");
        for (const type of ["open", "error"]) source.addEventListener(type, () => { source.close(); resolve(type); });
      });`;
      equal(await inNullOrigin(script), expected, policy);
    }
  },
});

const named = (group, cases) =>
  Object.entries(cases).map(([title, run]) => ({ group, title, run }));

export const cases = [
  ...fields.map(fieldCase),
  ...named("connections", connection),
  ...named("reconnections", reconnection),
  ...named("failures", failures),
  ...named("origins of event streams", origins),
];
