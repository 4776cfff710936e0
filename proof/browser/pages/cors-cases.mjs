// What a browser must let a page of another origin do with the responses of `CorsMiddleware`. The expectations
// are those of the Fetch standard's CORS protocol, as the Web Platform Tests check them.
import { createToken, equal, inNullOrigin, isDenied, recorded, urlOf } from "./harness.mjs";

const preflightsOf = async (api, token) =>
  (await recorded(api, token)).filter(({ isPreflight }) => isPreflight).length;

/** Sends a request, and returns what the server received and the number of preflights. */
async function ask(api, policy, init = {}) {
  const token = createToken();
  const response = await fetch(urlOf(api, `/${policy}/echo`, { token }), init);
  const [method, headers] = await response.json();
  return { response, method, headers, preflights: await preflightsOf(api, token) };
}

const simple = {};
for (const policy of ["star", "exact", "decided", "credentials", "limited", "wildcards"]) {
  simple[`GET is allowed by ${policy}`] = async (api) => {
    const { response, headers, preflights } = await ask(api, policy);
    equal([response.type, response.status, preflights], ["cors", 200, 0]);
    equal(headers.origin, location.origin);
  };
}
for (const policy of ["other", "null", "none"]) {
  simple[`GET is denied by ${policy}`] = (api) => isDenied(fetch(`${api}/${policy}/echo`));
  simple[`GET is opaque without CORS mode for ${policy}`] = async (api) => {
    const { type, status } = await fetch(`${api}/${policy}/echo`, { mode: "no-cors" });
    equal([type, status], ["opaque", 0]);
  };
}
for (const type of [
  "text/plain",
  "text/plain;charset=utf-8",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
]) {
  simple[`POST of ${type} needs no preflight`] = async (api) => {
    const body = type.startsWith("multipart") ? "--x--\r\n" : "a=1";
    const { method, preflights } = await ask(api, "exact", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    equal([method, preflights], ["POST", 0]);
  };
}
Object.assign(simple, {
  async "HEAD needs no preflight"(api) {
    const token = createToken();
    const response = await fetch(urlOf(api, "/exact/echo", { token }), { method: "HEAD" });
    equal([response.status, await preflightsOf(api, token)], [200, 0]);
  },
  async "safelisted headers need no preflight"(api) {
    const headers = { accept: "text/x", "accept-language": "de", "content-language": "de" };
    const { headers: received, preflights } = await ask(api, "exact", { headers });
    equal([received.accept, received["accept-language"], preflights], ["text/x", "de", 0]);
  },
  async "a simple range needs no preflight"(api) {
    const { headers, preflights } = await ask(api, "exact", { headers: { range: "bytes=0-3" } });
    equal([headers.range, preflights], ["bytes=0-3", 0]);
  },
  async "XMLHttpRequest reads an allowed response"(api) {
    equal(await readByXhr(`${api}/exact/echo`), [200, true]);
    equal(await readByXhr(`${api}/other/echo`), [0, false]);
  },
});

function readByXhr(url, prepare = () => {}) {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", url);
    prepare(xhr);
    xhr.addEventListener("loadend", () => resolve([xhr.status, xhr.responseText.length > 0]));
    xhr.send("a");
  });
}

const methods = {};
for (const method of ["PUT", "PATCH", "DELETE"]) {
  methods[`${method} is allowed by default`] = async (api) => {
    const result = await ask(api, "exact", { method });
    equal([result.method, result.preflights], [method, 1]);
  };
}
for (const [method, policy] of [
  ["PURGE", "exact"],
  ["OPTIONS", "exact"],
  ["DELETE", "limited"],
  ["PATCH", "limited"],
  ["PUT", "other"],
  ["PUT", "none"],
]) {
  methods[`${method} is denied by ${policy}`] = async (api) => {
    const token = createToken();
    await isDenied(fetch(urlOf(api, `/${policy}/echo`, { token }), { method }));
    equal(
      (await recorded(api, token)).map((request) => request.method),
      ["OPTIONS"],
    );
  };
}
Object.assign(methods, {
  async "PUT is allowed by a list"(api) {
    equal((await ask(api, "limited", { method: "PUT" })).method, "PUT");
  },
  async "* allows every method"(api) {
    for (const method of ["PURGE", "DELETE"]) {
      equal((await ask(api, "wildcards", { method })).method, method);
    }
  },
  async "patch in lower case is not PATCH"(api) {
    await isDenied(fetch(`${api}/exact/echo`, { method: "patch" }));
  },
  async "put in lower case is PUT"(api) {
    equal((await ask(api, "exact", { method: "put" })).method, "PUT");
  },
});

const headerCases = {
  async "JSON needs a preflight"(api) {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const { headers, preflights } = await ask(api, "exact", init);
    equal([headers["content-type"], preflights], ["application/json", 1]);
  },
  async "any header is allowed by default"(api) {
    const { headers, preflights } = await ask(api, "exact", {
      headers: { "x-one": "1", "X-Two": "2", authorization: "Bearer a" },
    });
    equal(
      [headers["x-one"], headers["x-two"], headers.authorization, preflights],
      ["1", "2", "Bearer a", 1],
    );
  },
  async "fifty headers are allowed by default"(api) {
    const names = Array.from({ length: 50 }, (_, at) => `x-${at}`);
    const init = { headers: Object.fromEntries(names.map((name) => [name, "1"])) };
    const { headers } = await ask(api, "exact", init);
    equal(
      names.every((name) => headers[name] === "1"),
      true,
    );
  },
  async "a listed header is allowed in any case"(api) {
    const { headers } = await ask(api, "limited", { headers: { "x-ALLOWED": "1" } });
    equal(headers["x-allowed"], "1");
  },
  "a header that is not listed is denied": (api) =>
    isDenied(fetch(`${api}/limited/echo`, { headers: { "x-allowed": "1", "x-other": "1" } })),
  async "* allows every header"(api) {
    const { headers } = await ask(api, "wildcards", { headers: { "x-other": "1" } });
    equal(headers["x-other"], "1");
  },
  async "the preflight names the headers in lower case, without values"(api) {
    const token = createToken();
    const init = { method: "PUT", headers: { "X-B": "secret", "X-A": "1" } };
    await fetch(urlOf(api, "/exact/echo", { token }), init);
    const [{ headers }] = await recorded(api, token);
    equal(headers["access-control-request-headers"], "x-a,x-b");
    equal(headers["access-control-request-method"], "PUT");
    equal([headers["x-a"], headers.cookie], [undefined, undefined]);
  },
  async "a listener for uploads causes a preflight"(api) {
    const token = createToken();
    const url = urlOf(api, "/exact/echo", { token });
    equal(await readByXhr(url, ({ upload }) => upload.addEventListener("progress", () => {})), [
      200,
      true,
    ]);
    equal(await preflightsOf(api, token), 1);
  },
};

const readable = (response) =>
  ["x-exposed", "x-hidden", "etag", "set-cookie"].filter((name) => response.headers.has(name));
const exposure = {
  async "safelisted response headers are readable"(api) {
    const { headers } = await fetch(`${api}/star/headers`);
    for (const name of [
      "cache-control",
      "content-language",
      "content-type",
      "expires",
      "last-modified",
      "pragma",
    ]) {
      equal(headers.has(name), true, name);
    }
  },
  async "others are not"(api) {
    equal(readable(await fetch(`${api}/star/headers`)), []);
  },
  async "listed ones are"(api) {
    const response = await fetch(`${api}/exposing/headers`);
    equal(readable(response), ["x-exposed", "etag"]);
    equal([response.headers.get("x-exposed"), response.headers.get("etag")], ["exposed", '"v1"']);
  },
  async "* exposes all but cookies"(api) {
    equal(readable(await fetch(`${api}/wildcards/headers`)), ["x-exposed", "x-hidden", "etag"]);
  },
  async "listed ones are with credentials"(api) {
    const response = await fetch(`${api}/credentials/headers`, { credentials: "include" });
    equal(readable(response), ["x-exposed", "etag"]);
  },
  async "Content-Range is readable if it is listed"(api) {
    const response = await fetch(`${api}/exposing/range`, { headers: { range: "bytes=0-3" } });
    equal([response.status, response.headers.get("content-range")], [206, "bytes 0-3/100"]);
  },
};

const credentials = {
  async "cookies are set and sent if the request includes them"(api) {
    const value = createToken();
    const include = { credentials: "include" };
    await fetch(urlOf(api, "/credentials/cookie", { value }), include);
    const { headers } = await ask(api, "credentials", include);
    equal((headers.cookie ?? "").includes(`visitor=${value}`), true, headers.cookie);
  },
  async "they are not sent by default"(api) {
    await fetch(urlOf(api, "/credentials/cookie", { value: "x" }), { credentials: "include" });
    equal((await ask(api, "credentials")).headers.cookie, undefined);
  },
  async "they are not set by default"(api) {
    const value = createToken();
    await fetch(urlOf(api, "/credentials/cookie", { value }));
    const { headers } = await ask(api, "credentials", { credentials: "include" });
    equal((headers.cookie ?? "").includes(value), false);
  },
  async "a preflight has none"(api) {
    const token = createToken();
    await fetch(urlOf(api, "/credentials/echo", { token }), {
      method: "DELETE",
      credentials: "include",
      headers: { "x-a": "1" },
    });
    const [preflight, request] = await recorded(api, token);
    equal([preflight.method, preflight.headers.cookie], ["OPTIONS", undefined]);
    equal([request.method, "cookie" in request.headers], ["DELETE", true]);
  },
};
for (const policy of ["star", "exact", "decided", "wildcards", "other", "none"]) {
  credentials[`${policy} denies a request with credentials`] = (api) =>
    isDenied(fetch(`${api}/${policy}/echo`, { credentials: "include" }));
  credentials[`${policy} denies a preflight with credentials`] = (api) =>
    isDenied(fetch(`${api}/${policy}/echo`, { method: "PUT", credentials: "include" }));
}

const statuses = {};
for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 503]) {
  statuses[`status ${status} is readable`] = async (api) => {
    for (const query of status < 400 ? [{ status }] : [{ status }, { status, thrown: 1 }]) {
      for (const method of ["GET", "PUT"]) {
        equal((await fetch(urlOf(api, "/exact/status", query), { method })).status, status, method);
      }
    }
  };
}
Object.assign(statuses, {
  async "a path without a route"(api) {
    equal((await fetch(`${api}/exact/nowhere`)).status, 404);
    equal((await fetch(`${api}/exact/nowhere`, { method: "PUT" })).status, 404);
  },
  async "a method without a route"(api) {
    equal((await fetch(`${api}/exact/error`, { method: "DELETE" })).status, 405);
  },
  async "an error that a handler throws"(api) {
    const response = await fetch(`${api}/exact/error`);
    equal([response.status, (await response.json()).title], [500, "Internal Server Error"]);
  },
  async "a guard behind the preflight"(api) {
    const response = await fetch(`${api}/exact/rejected`, {
      headers: { authorization: "Bearer x" },
    });
    equal([response.status, (await response.json()).title], [401, "Unauthorized"]);
  },
  async "failed validation"(api) {
    const response = await fetch(`${api}/exact/validated`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    equal([response.status, (await response.json()).errors[0].field], [422, "name"]);
  },
  async "a malformed body"(api) {
    const response = await fetch(`${api}/exact/validated`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    equal(response.status, 400);
  },
});

/** Sends the same request that needs a preflight twice, and returns the number of preflights. */
async function preflightsOfTwo(api, policy, [first, second]) {
  const token = createToken();
  const url = urlOf(api, `/${policy}/echo`, { token });
  for (const init of [first, second]) await fetch(url, init);
  return preflightsOf(api, token);
}

const put = { method: "PUT" };
const caching = {
  async "maxAge keeps a preflight"(api) {
    equal(await preflightsOfTwo(api, "cached", [put, put]), 1);
  },
  async "maxAge 0 keeps none"(api) {
    equal(await preflightsOfTwo(api, "fresh", [put, put]), 2);
  },
  async "a kept preflight is for its methods and headers"(api) {
    const other = { method: "PUT", headers: { "x-new": "1" } };
    equal(await preflightsOfTwo(api, "cached", [put, other]), 2);
    equal(await preflightsOfTwo(api, "cached", [other, put]), 1);
    equal(await preflightsOfTwo(api, "cached", [put, { method: "DELETE" }]), 1);
  },
  async "a preflight without credentials is not for a request with them"(api) {
    const included = { ...put, credentials: "include" };
    equal(await preflightsOfTwo(api, "credentials", [put, included]), 2);
  },
  async "a cached response is not given to a request of another kind"(api) {
    for (const policy of ["exact", "decided", "star"]) {
      const url = urlOf(api, `/${policy}/cacheable`, { token: createToken() });
      await (await fetch(url, { mode: "no-cors" })).text();
      equal(await (await fetch(url)).text(), "cached", policy);
    }
  },
};

/** The same server under another name, which is another origin. */
const otherName = (api) => {
  const url = new URL(api);
  url.hostname = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return url.origin;
};

const redirects = {};
for (const status of [301, 302, 303, 307, 308]) {
  redirects[`${status} within the server is followed`] = async (api) => {
    const url = urlOf(api, "/exact/redirect", { status, to: "/exact/echo" });
    const response = await fetch(url);
    const [method, headers] = await response.json();
    equal([response.redirected, method, headers.origin], [true, "GET", location.origin]);
  };
}
Object.assign(redirects, {
  async "307 keeps the method after a preflight"(api) {
    const url = urlOf(api, "/exact/redirect", { status: 307, to: "/exact/echo" });
    const [method] = await (await fetch(url, { method: "PUT", body: "a" })).json();
    equal(method, "PUT");
  },
  async "303 changes the method after a preflight"(api) {
    const url = urlOf(api, "/exact/redirect", { status: 303, to: "/exact/echo" });
    const [method] = await (await fetch(url, { method: "PUT", body: "a" })).json();
    equal(method, "GET");
  },
  async "a target that denies is denied"(api) {
    await isDenied(fetch(urlOf(api, "/exact/redirect", { to: "/other/echo" })));
    await isDenied(fetch(urlOf(api, "/exact/redirect", { to: "/none/echo" })));
  },
  async "a redirect that denies is denied"(api) {
    await isDenied(fetch(urlOf(api, "/none/redirect", { to: "/star/echo" })));
  },
  async "to another origin, the origin is null"(api) {
    const to = `${otherName(api)}/star/echo`;
    const [, headers] = await (await fetch(urlOf(api, "/star/redirect", { to }))).json();
    equal(headers.origin, "null");
    const allowed = `${otherName(api)}/null/echo`;
    equal((await fetch(urlOf(api, "/star/redirect", { to: allowed }))).status, 200);
    await isDenied(fetch(urlOf(api, "/star/redirect", { to: `${otherName(api)}/exact/echo` })));
  },
});

const nullOrigin = {};
for (const [policy, isAllowed] of [
  ["star", true],
  ["null", true],
  ["wildcards", true],
  ["exact", false],
  ["decided", false],
  ["other", false],
  ["credentials", false],
  ["none", false],
]) {
  nullOrigin[`${policy} ${isAllowed ? "allows" : "denies"} it`] = async (api) => {
    for (const method of ["GET", "PUT"]) {
      const script = `return (await fetch("${api}/${policy}/echo", { method: "${method}" })).status;`;
      equal(await inNullOrigin(script), isAllowed ? 200 : "TypeError", method);
    }
  };
  nullOrigin[`${policy} denies it with credentials`] = async (api) => {
    const script = `return (await fetch("${api}/${policy}/echo", { credentials: "include" })).status;`;
    equal(await inNullOrigin(script), "TypeError");
  };
}

function loads(element, api, path) {
  return new Promise((resolve) => {
    element.addEventListener("load", () => resolve(true));
    element.addEventListener("error", () => resolve(false));
    element.crossOrigin = "anonymous";
    element.src = urlOf(api, path, { token: createToken() });
    document.body.append(element);
  });
}

const elements = {};
for (const [policy, isAllowed] of [
  ["star", true],
  ["exact", true],
  ["other", false],
  ["none", false],
]) {
  const verb = isAllowed ? "loads" : "does not load";
  elements[`a picture with crossorigin ${verb} from ${policy}`] = async (api) => {
    const picture = document.createElement("img");
    equal(await loads(picture, api, `/${policy}/picture`), isAllowed);
    if (!isAllowed) return;
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.drawImage(picture, 0, 0);
    canvas.getImageData(0, 0, 1, 1); // throws for a picture that the page may not read
  };
  elements[`a script with crossorigin ${verb} from ${policy}`] = async (api) => {
    const script = document.createElement("script");
    script.type = "module";
    equal(await loads(script, api, `/${policy}/module.js`), isAllowed);
  };
  elements[`an import ${verb} from ${policy}`] = async (api) => {
    const imported = import(`${api}/${policy}/module.js`).then(
      ({ value }) => value,
      () => "denied",
    );
    equal(await imported, isAllowed ? 7 : "denied");
  };
}

const named = (group, cases) =>
  Object.entries(cases).map(([title, run]) => ({ group, title, run }));

export const cases = [
  ...named("requests without preflight", simple),
  ...named("methods", methods),
  ...named("request headers", headerCases),
  ...named("response headers", exposure),
  ...named("credentials", credentials),
  ...named("statuses", statuses),
  ...named("caching", caching),
  ...named("redirects", redirects),
  ...named("the origin null", nullOrigin),
  ...named("elements", elements),
];
