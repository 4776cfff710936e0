import { describe, expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import { Router } from "../../src/routing/router.ts";
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
