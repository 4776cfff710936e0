import { Application, json, text } from "espalier";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Random } from "../support/random.ts";
import { createHostileTarget } from "./application.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const createApp = (): Application => new Application({ logger: quiet });

describe("10,000 routes", () => {
  /** Static and parameter segments that shadow each other at every level of a deep tree. */
  function createLargeRouter(): Application {
    const app = createApp();
    const router = app.getRouter();
    for (let index = 0; index < 5000; index++) {
      router.get(`/static/${index}/end`, () => text(`static ${index}`));
      router.get(`/items/:id/part-${index}`, (ctx) => text(`item ${ctx.params["id"]} ${index}`));
    }
    for (let depth = 1; depth <= 64; depth++) {
      const shadows = Array.from({ length: depth }, (_, level) => `/:p${level}`).join("");
      router.get(`/deep${"/a".repeat(depth)}/end${depth}`, () => text(`static ${depth}`));
      router.get(`/deep${shadows}/stop${depth}`, (ctx) =>
        text(`shadow ${Object.keys(ctx.params).length}`),
      );
    }
    return app;
  }
  const app = createLargeRouter();
  const answer = async (path: string): Promise<[number, string]> => {
    const response = await app.request(`http://localhost${path}`);
    return [response.status, response.status === 200 ? await response.text() : ""];
  };

  test("each of them is found, and no others", async () => {
    for (let index = 0; index < 5000; index++) {
      expect(await answer(`/static/${index}/end`)).toEqual([200, `static ${index}`]);
      expect(await answer(`/items/x${index}/part-${index}`)).toEqual([
        200,
        `item x${index} ${index}`,
      ]);
    }
    for (const path of ["/static/5000/end", "/static/0", "/items/x/part-5000", "/items//part-1"]) {
      expect(await answer(path)).toEqual([404, ""]);
    }
  });

  test("64 levels of shadowed segments match correctly, or not at all", async () => {
    for (let depth = 1; depth <= 64; depth++) {
      expect(await answer(`/deep${"/a".repeat(depth)}/end${depth}`)).toEqual([
        200,
        `static ${depth}`,
      ]);
      expect(await answer(`/deep${"/a".repeat(depth)}/stop${depth}`)).toEqual([
        200,
        `shadow ${depth}`,
      ]);
      expect(await answer(`/deep${"/a".repeat(depth)}/neither`)).toEqual([404, ""]);
    }
  });

  test.each([8_000, 16_000])("paths of %i bytes get a response", async (bytes) => {
    for (const segment of ["/a", "/ab", "/deep", "/items", "//", "/%61", "/a;b"]) {
      const path = segment.repeat(Math.floor(bytes / segment.length));
      expect(await answer(path)).toEqual([404, ""]);
      expect(await answer(`/items/${path.slice(1).replaceAll("/", "-")}/part-1`)).toEqual([
        200,
        expect.stringContaining("item "),
      ]);
    }
  });
});

test.each([
  ["/:a-:b", "/x-y", { a: "x", b: "y" }],
  ["/a:b", "/ax", { b: "x" }],
  ["/*", "/x/y", { "*": "x/y" }],
  ["/:a?", "/x", { a: "x" }],
])("the pattern %s has its documented meaning", async (pattern, path, params) => {
  const app = createApp();
  app.getRouter().get(pattern, (ctx) => json(ctx.params));
  expect(await (await app.request(path)).json()).toEqual(params);
});

test.each(["/:", "/::", "/{a}", "/:a(((a+)+)+\\b)", "/:a((.*)*\\1)", "/a*b"])(
  "the pattern %s is refused where it is registered",
  (pattern) => {
    expect(() =>
      createApp()
        .getRouter()
        .get(pattern, () => text("x")),
    ).toThrow(expect.objectContaining({ code: "ERR_ROUTE_PATTERN" }));
  },
);

test("a constraint with nested repetition is fast on adversarial input", async () => {
  const app = createApp();
  app.getRouter().get("/:a((a+)+b)", () => text("matched"));
  expect((await app.request(`/${"a".repeat(15_000)}`)).status).toBe(404);
  expect((await app.request(`/${"a".repeat(1000)}`)).status).toBe(404);
  expect((await app.request(`/${"a".repeat(1000)}b`)).status).toBe(200);
});

/** Memory of each router created from now on. */
function watchMemories(): WebAssembly.Memory[] {
  const memories: WebAssembly.Memory[] = [];
  const Instance = WebAssembly.Instance;
  vi.spyOn(WebAssembly, "Instance").mockImplementation(function watched(module, imports) {
    const instance = new Instance(module, imports);
    memories.push(instance.exports["memory"] as WebAssembly.Memory); // the router exports one
    return instance;
  });
  return memories;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("hostile paths", () => {
  test("200,000 of them do not affect later requests", async () => {
    const memories = watchMemories();
    const router = createHostileTarget().getRouter();
    const random = new Random(0x74);
    const pieces = [
      "/",
      "//",
      "/t",
      "/two",
      "/rest",
      "/area",
      "/deep",
      "%",
      "%00",
      "%zz",
      "%ff",
      "\ud800",
      "\udfff",
      "\ufffd",
      "\0",
      "é",
      "日",
      "?",
      "#",
      "x".repeat(500),
      "%41",
      ";",
      "..",
      "/..",
      "\\",
      "",
    ];
    const answers = () =>
      ["/t/1", "/two/a/b", "/rest/a/b/c", "/area/deep/7", "/nowhere", "/t/%zz"].map((path) => {
        const { status, params } = router.find("GET", `http://localhost${path}`);
        return [status, { ...params }];
      });
    const expected = answers();
    const sizes = () => memories.map(({ buffer }) => buffer.byteLength);
    const sizesBefore = sizes();
    const statuses = new Set<number>();
    for (let round = 0; round < 200_000; round++) {
      const text = random.list(0, 8, () => random.pick(pieces)).join("");
      const path = text.startsWith("/") ? text : `/${text}`;
      statuses.add(router.find("GET", `http://localhost${path}`).status);
      if (round % 20_000 === 0) expect(answers()).toEqual(expected);
    }
    expect(answers()).toEqual(expected);
    expect([...statuses].every((status) => [200, 400, 404, 405, 414].includes(status))).toBe(true);
    expect(statuses.size).toBeGreaterThan(2);
    expect(sizesBefore).toHaveLength(1);
    expect(sizes()).toEqual(sizesBefore);
  });

  test("after a trap the router continues with a new instance", async () => {
    const memories = watchMemories();
    const app = createHostileTarget();
    const paths = ["/t/1", "/area/deep/7", "/admin", "/nowhere", "/t/%zz"];
    const answers = async () => {
      const statuses: number[] = [];
      for (const path of paths) statuses.push((await app.request(path)).status);
      return statuses;
    };
    const expected = [200, 200, 401, 404, 400];
    expect([await answers(), memories.length]).toEqual([expected, 1]);
    for (let traps = 1; traps <= 3; traps++) {
      // All addresses in there point far outside of the memory now.
      for (const memory of memories) new Uint8Array(memory.buffer).fill(0x7f);
      expect(await answers()).toEqual(expected);
      expect(memories).toHaveLength(1 + traps);
    }
    expect((await app.request("/admin", { method: "DELETE" })).headers.get("allow")).toBe(
      "GET, HEAD, OPTIONS",
    );
  });

  test.each([
    ["no path", "", [404]],
    ["only a slash", "/", [404]],
    ["NUL", "/\0x", [404]],
    ["NUL in a parameter", "/t/\0x", [200]],
    ["a lone surrogate", "/t/\ud800", [200, 400]],
    ["the replacement character", "/t/\ufffd", [200]],
    ["16 KiB", `/t/${"x".repeat(16_384 - 3)}`, [200]],
    ["a byte more than 16 KiB", `/t/${"x".repeat(16_384 - 2)}`, [414]],
    ["a megabyte", `/${"x".repeat(1_000_000)}`, [414]],
    ["a million slashes", `/${"/".repeat(1_000_000)}`, [414]],
  ])(
    "%s in the path gets a response, and so does the next request",
    async (_name, path, statuses) => {
      const app = createHostileTarget();
      expect(statuses).toContain((await app.request(`http://localhost${path}`)).status);
      expect((await app.request("/t/next")).status).toBe(200);
    },
  );
});
