import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { BufferedResponse } from "../../src/platform/response/buffered-response.ts";
import { Random } from "../support/random.ts";

type Use = (response: Response) => unknown;

/** Operations on a response; their results are compared instead of the objects. */
const uses: Readonly<Record<string, Use>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  bytes: async (response) => [...(await response.bytes())],
  arrayBuffer: async (response) => [...new Uint8Array(await response.arrayBuffer())],
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, ...(await blob.bytes())];
  },
  clone: async (response) => {
    const copy = response.clone();
    return [copy.status, [...copy.headers], await copy.text()];
  },
  wrap: async (response) => {
    const wrapped = new Response(response.body, response);
    return [wrapped.status, [...wrapped.headers], await wrapped.text()];
  },
  formData: async (response) => [...(await response.formData())],
  bodyUsed: (response) => response.bodyUsed,
  locked: (response) => response.body?.locked,
  isEmpty: (response) => response.body === null,
  cancel: (response) => response.body?.cancel(),
  read: async (response) => {
    const reader = response.body?.getReader();
    const chunk = await reader?.read();
    reader?.releaseLock();
    return [chunk?.done, ...(chunk?.value ?? [])];
  },
  lock: (response) => typeof response.body?.getReader(),
  setHeader: (response) => response.headers.set("x-late", "1"),
  appendCookie: (response) => response.headers.append("set-cookie", "a=1"),
  retype: (response) => response.headers.set("content-type", "image/x-late"),
  rebuild: async (response) => {
    const Same = response.constructor as typeof Response; // like code that only uses the constructor
    const rebuilt = new Same(response.body, response);
    return [Same === Response, rebuilt.status, [...rebuilt.headers], await rebuilt.text()];
  },
  members: (response) => {
    const found: string[] = [];
    for (const name in response) found.push(name);
    return found.sort();
  },
  facts: ({ status, statusText, ok, type, url, redirected, headers }) => [
    ...[status, statusText, ok, type, url, redirected],
    [...headers],
  ],
};
const names = Object.keys(uses);

const contents = [
  ...["", "plain", '{"a":[1,"é"]}', "\uFEFFmarked", "cut \ud83d", "a=1&b=%C3%A9"],
  null,
  new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  Buffer.from("of a pool"),
];
const headers = { "content-type": "application/x-www-form-urlencoded", "x-a": "1" };

/** Returns the result of an operation, or the type of its error, since messages depend on the platform. */
async function outcome(use: Use, response: Response): Promise<unknown> {
  try {
    return await use(response);
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

test("for every operation, it behaves like the platform's response", async () => {
  const random = new Random(20261128);
  for (let round = 0; round < 4_000; round += 1) {
    const content = contents[round % contents.length] ?? null;
    const status = content === null ? 204 : random.pick([200, 201, 404, 500]);
    const whole = new BufferedResponse(content, { status, headers });
    const native = new Response(content, { status, headers });
    const done: string[] = [];
    for (const name of random.list(1, 5, () => random.pick(names))) {
      done.push(name);
      const use = uses[name] as Use; // a key of `uses`
      const [ours, theirs] = [await outcome(use, whole), await outcome(use, native)];
      expect({ content, done, result: ours }).toEqual({ content, done, result: theirs });
      expect({ content, done, isUsed: whole.bodyUsed }).toEqual({
        content,
        done,
        isUsed: native.bodyUsed,
      });
    }
  }
});

test("it has every member of the platform's class", () => {
  const members = Object.getOwnPropertyNames(Response.prototype);
  expect(members.filter((name) => !Object.hasOwn(BufferedResponse.prototype, name))).toEqual([]);
});

test("it is printed with its current headers", () => {
  const whole = new BufferedResponse("x", { status: 200, headers });
  const native = new Response("x", { status: 200, headers });
  for (const response of [whole, native]) {
    response.body?.locked;
    response.headers.set("x-late", "1");
  }
  expect(inspect(whole)).toContain("x-late");
  expect(inspect(whole)).toBe(inspect(native));
});

test("its headers are kept by a Response that stores the given object", async () => {
  class KeepingResponse extends Response {
    readonly #given: Headers;

    constructor(body: BodyInit | null, init: { readonly headers: Headers }) {
      super(body, init);
      this.#given = init.headers;
    }

    override get headers(): Headers {
      return this.#given;
    }
  }
  vi.stubGlobal("Response", KeepingResponse);
  try {
    const response = new BufferedResponse("x", { status: 200, headers });
    await response.blob();
    expect(Object.fromEntries(response.headers)).toEqual(headers);
  } finally {
    vi.unstubAllGlobals();
  }
});
