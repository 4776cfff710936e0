import { afterEach, describe, expect, it, vi } from "vitest";
import { pathLimit } from "../../src/routing/request-path.ts";
import { constrainedLimit, type RouteMatcher } from "../../src/routing/route-match.ts";
import { refusal } from "../support/refusal.ts";
import { routerModule, wasmMatcher } from "../support/wasm-matcher.ts";

const origin = "http://localhost";

function matcherWith(...routes: readonly (readonly [method: string, pattern: string])[]) {
  const matcher = wasmMatcher();
  for (const [method, pattern] of routes) matcher.insert(method, pattern);
  return matcher;
}

/** Memory of each instance created by matchers from now on. */
function watchMemories(): WebAssembly.Memory[] {
  const memories: WebAssembly.Memory[] = [];
  const Instance = WebAssembly.Instance;
  vi.spyOn(WebAssembly, "Instance").mockImplementation(function watched(module, imports) {
    const instance = new Instance(module, imports);
    memories.push(instance.exports["memory"] as WebAssembly.Memory); // the module exports one
    return instance;
  });
  return memories;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the router module", () => {
  it("imports nothing", () => {
    expect(WebAssembly.Module.imports(routerModule)).toEqual([]);
  });

  // The whole memory of the instance; a stack of 16 KiB and two buffers of 32 KiB are part of it.
  it.each([
    [448, "of a REST API", (i: number) => `/api/v${i % 3}/r${i >> 2}/:id/${tails[i % 4]}`],
    [576, "without parameters", (i: number) => `/docs/section-${i >> 3}/page-${i}.html`],
    [448, "with text and parameters in a segment", (i: number) => `/r${i}/:a-:b.:c`],
    [448, "with constraints in common", (i: number) => `/r${i}/:id(\\d+)/:slug([a-z-]+)`],
    [
      2944,
      "with a constraint of their own",
      (i: number) => `/r${i}/:id(\\d{1,${1 + (i % 30)}}|x${i})`,
    ],
    [768, "with three optional segments", (i: number) => `/r${i}/:a?/:b?/:c?`],
    [1664, "with six optional segments", (i: number) => `/r${i}/:a?/:b?/:c?/:d?/:e?/:f?`],
    [2176, "of 12 segments that no other route has", (i: number) => deepPattern(i)],
    [
      5312,
      "with the longest constraint of their own",
      (i: number) => `/r${i}/:id(${`alpha${i}|`.repeat(6)}z)`,
    ],
    [
      12_416,
      "with six optional segments and three constraints of their own",
      (i: number) => `/r${i}/:a(x${i})?/:b(y${i})?/:c(z${i})?/:d?/:e?/:f?`,
    ],
  ])("takes at most %i KiB of memory for 1,000 routes %s", (mostKiB, _shape, pattern) => {
    const memories = watchMemories();
    const matcher = wasmMatcher();
    for (let i = 0; i < 1000; i++) matcher.insert("GET", pattern(i));
    expect(memories[0]?.buffer.byteLength).toBeLessThanOrEqual(mostKiB * 1024);
  });
});

const tails = ["items", "comments", "history", "settings"];

function deepPattern(index: number): string {
  return Array.from({ length: 12 }, (_, depth) => `/s${depth}x${index}`).join("");
}

describe("a match", () => {
  it("decodes parameters once, lazily", () => {
    const match = matcherWith(["GET", "/:a/:b"]).find("GET", `${origin}/1/%2525`);
    expect(match.params).toBe(match.params);
    expect(match.params).toEqual({ a: "1", b: "%25" });
  });

  it("has parameters without a prototype", () => {
    const matcher = matcherWith(["GET", "/:id"], ["GET", "/"]);
    for (const path of ["/7", "/", "/a/b"]) {
      const { params } = matcher.find("GET", origin + path);
      expect(Object.getPrototypeOf(params)).toBeNull();
    }
  });

  it("shares no mutable state with another match", () => {
    const matcher = matcherWith(["GET", "/:id"], ["GET", "/"]);
    const first = matcher.find("GET", `${origin}/7`).params;
    first["id"] = "changed";
    expect(matcher.find("GET", `${origin}/7`).params).toEqual({ id: "7" });
    for (const path of ["/", "/a/b"]) {
      expect(Object.isFrozen(matcher.find("GET", origin + path).params)).toBe(true);
    }
  });

  it("stays valid after other matches", () => {
    const matcher = matcherWith(["GET", "/:a/:b/:c/:d/:e/:f"], ["GET", "/x/:y"]);
    const matches = Array.from({ length: 50 }, (_, i) =>
      matcher.find("GET", `${origin}/a${i}/b${i}/c/d/e${i}/%66${i}?q=${i}`),
    );
    matcher.find("GET", `${origin}/x/${"y".repeat(500)}`);
    matcher.insert("GET", "/added/:later");
    for (const [i, match] of matches.entries()) {
      const params = { a: `a${i}`, b: `b${i}`, c: "c", d: "d", e: `e${i}`, f: `f${i}` };
      expect({ ...match.params }).toEqual(params);
    }
  });

  it("is shared by all unmatched requests", () => {
    const matcher = matcherWith(["GET", "/a"]);
    const first = matcher.find("GET", `${origin}/b`);
    expect(first).toMatchObject({ status: 404, route: -1, allow: [], params: {} });
    expect(matcher.find("PUT", `${origin}/c`)).toBe(first);
  });

  it("keeps the methods of a 405 after other matches", () => {
    const matcher = matcherWith(["GET", "/a"], ["PUT", "/b"]);
    const first = matcher.find("POST", `${origin}/a`);
    const second = matcher.find("POST", `${origin}/b`);
    expect(first.allow).toEqual(["GET", "HEAD"]);
    expect(second.allow).toEqual(["PUT"]);
  });
});

describe("a URL", () => {
  const matcher = matcherWith(["GET", "/a/:x"]);

  it.each([
    ["http://h/a/1", "1"],
    ["https://user.example.com:8443/a/1?b=/c#d", "1"],
    ["http://h/a/1#/a/2", "1"],
    ["http://h/a/1#?", "1"],
    [`http://${"h".repeat(990)}/a/1`, "1"],
    [`http://${"h".repeat(3000)}/a/1`, "1"],
    [`http://h/a/1?${"q".repeat(100_000)}`, "1"],
    [`http://h/a/${"y".repeat(200)}`, "y".repeat(200)],
    ["http://h/a/\0", "\0"],
    ["http://h/a/é", "é"],
    [`http://h/a/${"é".repeat(60)}`, "é".repeat(60)],
    ["http://h/a/\ud83c\udf4c", "\ud83c\udf4c"],
    ["http://h/a/x\ud800y", "x\ufffdy"],
    ["http://h/a/1?ö", "1"],
    ["http://ö.example/a/1", "1"],
  ])("%.60s", (url, x) => {
    const match = matcher.find("GET", url);
    expect(match.status).toBe(200);
    expect({ ...match.params }).toEqual({ x });
  });

  it.each(["", "a", "/a/1", "http://h", "http:/", "\ud800", "about:blank", "http://h?a/b"])(
    "is never an error: %j",
    (url) => {
      expect([200, 404]).toContain(matcher.find("GET", url).status);
      expect(matcher.allowedMethods(url)).toBeInstanceOf(Array);
    },
  );

  it("accepts a path of at most 16 KiB", () => {
    const longest = `/a/${"y".repeat(pathLimit - 3)}`;
    for (const start of [origin, `http://${"h".repeat(900)}`, `http://${"h".repeat(3000)}`]) {
      expect(matcher.find("GET", start + longest).params["x"]).toHaveLength(pathLimit - 3);
      expect(matcher.find("GET", `${start}${longest}?${"q".repeat(5000)}`).status).toBe(200);
      for (const more of [1, 100, 2000, 1_000_000]) {
        const url = start + longest + "z".repeat(more);
        expect(matcher.find("GET", url).status).toBe(414);
        expect(matcher.allowedMethods(url)).toEqual([]);
      }
    }
    expect(matcher.find("GET", `${origin}/a/${"é".repeat(3000)}`).status).toBe(414);
  });
});

describe("registering", () => {
  it("reports the position in characters, whatever precedes it", () => {
    const error = refusal(matcherWith(), "/straße/🍌/:id/:id");
    expect(error).toMatchObject({ reason: "invalid-pattern", position: 15, conflict: undefined });
    expect(error.message).toContain("a parameter name occurs twice in the pattern");
  });

  it("names the position inside a constraint", () => {
    expect(refusal(matcherWith(), "/é/:id(\\d+|(?=a))").position).toBe("/é/:id(\\d+|(?".length);
  });

  it("names the route of the same shape", () => {
    const matcher = matcherWith(["GET", "/"], ["GET", "/u/:id"], ["PUT", "/u/:id"]);
    const error = refusal(matcher, "/u/:name");
    expect(error).toMatchObject({ reason: "duplicate", position: undefined, conflict: 1 });
  });

  it("does not change the matcher on errors", () => {
    const matcher = matcherWith(["GET", "/u/:id"]);
    refusal(matcher, "/u/:name");
    refusal(matcher, "/x/:y(");
    refusal(matcher, `/${"x".repeat(20_000)}`);
    matcher.insert("GET", "/x/:y");
    expect(matcher.find("GET", `${origin}/x/1`).route).toBe(1);
    expect(matcher.find("GET", `${origin}/u/1`).route).toBe(0);
  });

  it("separates non-ASCII names from the surrounding text", () => {
    const match = matcherWith(["GET", "/ß/:name/é/*rest"]).find("GET", `${origin}/ß/1/é/2/3`);
    expect({ ...match.params }).toEqual({ name: "1", rest: "2/3" });
  });

  it("may continue between matches, through every growth of memory", () => {
    const matcher = wasmMatcher();
    for (let i = 0; i < 3000; i++) {
      matcher.insert("GET", `/section${i}/:id/part-:part(\\d{1,${1 + (i % 9)}})`);
      const match = matcher.find("GET", `${origin}/section${i}/a/part-${i % 10}`);
      expect(match.route).toBe(i);
      expect({ ...match.params }).toEqual({ id: "a", part: String(i % 10) });
    }
  });

  it("accepts hundreds of methods", () => {
    const matcher = wasmMatcher();
    for (let i = 0; i < 300; i++) matcher.insert(`METHOD${i}`, "/a");
    expect(matcher.find("METHOD299", `${origin}/a`).route).toBe(299);
    expect(matcher.find("OTHER", `${origin}/a`).allow).toHaveLength(300);
  });
});

describe("allowed methods", () => {
  const matcher = matcherWith(
    ["GET", "/a"],
    ["POST", "/:x"],
    ["ALL", "/all/*"],
    ["PURGE", "/a"],
    ["GET", "/own/head"],
    ["HEAD", "/own/head"],
  );

  it.each([
    ["/own/head", ["GET", "HEAD"]],
    ["/a", ["GET", "HEAD", "POST", "PURGE"]],
    ["/b", ["POST"]],
    ["/all/1", ["ALL"]],
    ["/b/c", []],
    ["/é", ["POST"]],
  ])("of %s", (path, methods) => {
    expect(matcher.allowedMethods(origin + path)).toEqual(methods);
  });
});

describe("hostile requests", () => {
  it("never make memory grow", () => {
    const memories = watchMemories();
    const matcher = matcherWith(
      ["GET", "/a/:b-:c(\\w+)-:d/*"],
      ["GET", "/:x((a|b)+c)/y"],
      ["GET", "/:p/:q/:r/:s?/:t?"],
      ["POST", "/*"],
    );
    const bytes = memories[0]?.buffer.byteLength;
    const paths = [
      "/a/x-y-z/%F0%9F%8D%8C/%zz",
      "/abababab/y",
      "//////",
      "/%/%2/%2F",
      "/1/2/3/4/5/6",
      "/a/----/-",
      `/${"a".repeat(60)}/y?${"z".repeat(60)}`,
    ];
    let found = 0;
    for (let i = 0; i < 1_000_000; i++) {
      const path = paths[i % paths.length] as string; // an index within the list
      if (matcher.find(i % 3 === 0 ? "POST" : "GET", origin + path).status === 200) found++;
    }
    for (let i = 0; i < 300; i++) {
      matcher.find("GET", `${origin}/a/${"-".repeat(16_000 + i)}`);
      matcher.find("GET", `${origin}/${"ab".repeat(8000)}${i}`);
      matcher.find("GET", origin + "/%61".repeat(4000));
    }
    expect(found).toBeGreaterThan(300_000);
    expect(memories).toHaveLength(1);
    expect(memories[0]?.buffer.byteLength).toBe(bytes);
  });

  it("get a result from 10,000 routes with the same prefix", () => {
    const matcher = wasmMatcher();
    for (let i = 0; i < 10_000; i++) {
      matcher.insert("GET", `/:a/:b-:c(\\w*-*)/end${i}/:d(x+)`);
    }
    const dashes = "-".repeat(constrainedLimit);
    const end = `${origin}/1/${dashes}/end9999/${"x".repeat(constrainedLimit - 1)}`;
    expect(matcher.find("GET", end).route).toBe(9999);
    expect(matcher.find("GET", `${end}y`).status).toBe(404);
    expect(matcher.find("GET", `${origin}${"/a".repeat(8000)}`).status).toBe(404);
  });

  it("get a result if each of 2,000 edges reads the whole segment", () => {
    const matcher = wasmMatcher();
    for (let i = 0; i < 2000; i++) matcher.insert("GET", `/:a-:b-:c${"\\!".repeat(1 + i)}`);
    expect(matcher.find("GET", `${origin}/${"-".repeat(14_000)}!`).route).toBe(0);
    expect(matcher.find("GET", `${origin}/${"-".repeat(14_000)}`).status).toBe(404);
  });
});

describe("after a trap", () => {
  function broken(): { matcher: RouteMatcher; memories: WebAssembly.Memory[] } {
    const memories = watchMemories();
    const matcher = matcherWith(["GET", "/a/:x"], ["PURGE", "/a/:x/:y?"], ["GET", "/é/:x(\\d+)"]);
    refusal(matcher, "/a/:other");
    // All addresses and lengths point far outside of memory now.
    for (const memory of memories) new Uint8Array(memory.buffer).fill(0x7f);
    return { matcher, memories };
  }

  it("a new instance matches", () => {
    const { matcher, memories } = broken();
    const match = matcher.find("GET", `${origin}/a/1`);
    expect(match.route).toBe(0);
    expect({ ...match.params }).toEqual({ x: "1" });
    expect(memories).toHaveLength(2);
    expect({ ...matcher.find("PURGE", `${origin}/a/1/2`).params }).toEqual({ x: "1", y: "2" });
    expect(matcher.find("GET", `${origin}/é/7`).route).toBe(2);
    expect(memories).toHaveLength(2);
  });

  it("a new instance has the same capacity for values", () => {
    const memories = watchMemories();
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const matcher = matcherWith(
      ["GET", "/a/:x"],
      ["GET", `/many${names.map((name) => `/:${name}`).join("")}`],
    );
    for (const memory of memories) new Uint8Array(memory.buffer).fill(0x7f);
    const match = matcher.find("GET", `${origin}/many/${names.join("/")}`);
    expect(memories).toHaveLength(2);
    expect(Object.values(match.params)).toEqual(names);
  });

  it("a new instance knows the allowed methods", () => {
    expect(broken().matcher.allowedMethods(`${origin}/a/1`)).toEqual(["GET", "HEAD", "PURGE"]);
  });

  it("a route that failed for lack of memory can be added again", () => {
    const { matcher } = broken();
    expect(refusal(matcher, "/b")).toMatchObject({
      reason: "invalid-pattern",
      message: "the platform has no more memory for the router",
    });
    matcher.insert("GET", "/b");
    expect(matcher.find("GET", `${origin}/b`).route).toBe(3);
    expect(matcher.find("GET", `${origin}/a/1`).route).toBe(0);
  });
});
