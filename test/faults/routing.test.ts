import { describe, expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { constrainedLimit } from "../../src/routing/route-match.ts";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const handler = (): Response => new Response();

describe("a path over 16,384 characters", () => {
  const tooLong = `http://localhost/${"a".repeat(16_384)}`;
  const longest = tooLong.slice(0, -1);

  test("is a 414 in an application without routes", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    expect((await app.fetch(new Request(tooLong))).status).toBe(414);
    expect((await app.fetch(new Request(longest))).status).toBe(404);
  });

  test.each([wasmMatcher, createReferenceMatcher])(
    "is a 414 of a matcher without routes",
    (create) => {
      const matcher = create({ ignoreTrailingSlash: true });
      expect(matcher.find("GET", tooLong).status).toBe(414);
      expect(matcher.find("GET", `${longest}?${"b".repeat(20_000)}`).status).toBe(404);
      matcher.insert("GET", "/a");
      matcher.truncate(0);
      expect(matcher.find("GET", tooLong).status).toBe(414);
    },
  );
});

describe("a long segment", () => {
  const siblings = 300;
  const longest = "a".repeat(constrainedLimit);

  test.each([wasmMatcher, createReferenceMatcher])(
    "matches no constraint when it has more than 1,024 characters",
    (create) => {
      const matcher = create({ ignoreTrailingSlash: true });
      matcher.insert("GET", "/users/:name([a-z]+)");
      matcher.insert("GET", "/files/:name.:type([a-z]+)");
      matcher.insert("GET", "/users/:other");
      const route = (path: string): number => matcher.find("GET", `http://localhost${path}`).route;
      expect(route(`/users/${longest}`)).toBe(0);
      expect(route(`/users/${longest}a`)).toBe(2);
      expect(route(`/files/${longest.slice(2)}.a`)).toBe(1);
      expect(route(`/files/${longest.slice(1)}.a`)).toBe(-1);
    },
  );

  test("is refused by url(), which would build a path without a route", () => {
    const router = new Router()
      .get("/users/:name([a-z]+)", handler, { name: "user" })
      .get("/files/:name.:type([a-z]+)", handler, { name: "file" });
    expect(router.url("user", { name: longest })).toBe(`/users/${longest}`);
    expect(() => router.url("user", { name: `${longest}a` })).toThrow(
      'url("user") cannot be built from /users/:name([a-z]+): a segment with a constraint must have ' +
        "at most 1024 characters, got 1025.",
    );
    expect(() => router.url("file", { name: longest, type: "a" })).toThrow("got 1026");
  });

  /** Returns a function that matches a segment in an instance with many siblings. */
  function finder(pattern: (index: number) => string, segment: string): () => void {
    const matcher = wasmMatcher();
    for (let index = 0; index < siblings; index++) matcher.insert("GET", pattern(index));
    return () => void matcher.find("GET", `http://localhost/${segment}`);
  }

  // Sixteen times the length would take sixteen times as long if every sibling read all of it.
  test("costs constrained siblings no more than one of 1,024 characters", async () => {
    const pattern = (index: number): string => `/:x([a-z]+\\d${index}|\\w+-${index})`;
    const ratio = await costRatio(finder(pattern, "a".repeat(16_000)), finder(pattern, longest));
    expect(ratio).toBeLessThan(1);
  });

  test("costs siblings with text and parameters less than ten constraints of the longest segment", async () => {
    const separated = finder((index) => `/:a-x${index}-:b`, "-".repeat(16_000));
    const constrained = finder((index) => `/:x([a-z]+\\d${index})`, longest);
    expect(await costRatio(separated, constrained)).toBeLessThan(10);
  });
});

describe("the names of a resource", () => {
  const namesOf = (register: (router: Router) => unknown): (string | undefined)[] => {
    const router = new Router();
    register(router);
    return router.routes().map(({ name }) => name);
  };

  test('come from the group when the resource is the group itself, "/"', () => {
    expect(
      namesOf((router) =>
        router.group("/books", { name: "books" }, (books) => {
          books.resource("/", { index: handler, show: handler, update: handler });
        }),
      ),
    ).toEqual(["books.index", "books.show", "books.update", "books.update"]);
  });

  test("follow the names of outer groups", () => {
    const router = new Router();
    router.group("/admin", { name: "admin" }, (admin) => {
      admin.group("/books", { name: "books" }, (books) => {
        books.resource("", { show: handler });
      });
    });
    expect(router.url("admin.books.show", { id: 7 })).toBe("/admin/books/7");
  });

  test("are not made of the name that a group only inherits, which several resources share", () => {
    expect(
      namesOf((router) =>
        router.group("/admin", { name: "admin" }, (admin) => {
          for (const prefix of ["/books", "/authors"]) {
            admin.group(prefix, (inner) => inner.resource("/", { index: handler }));
          }
          admin.resource("/loans", { index: handler });
        }),
      ),
    ).toEqual([undefined, undefined, undefined]);
  });
});
