import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import { addBook } from "./records.ts";
import { problemOf } from "./send.ts";

const themed = (theme: string) => `<html lang="en" data-theme="${theme}">`;

export const pageAssertions: readonly BookshelfAssertion[] = [
  {
    title: "the page shows the shelf and an example of each route, and runs no script",
    async run(send, place) {
      const response = await send("/");
      const html = await response.text();
      expect(response.headers.get("content-type")?.toLowerCase()).toBe("text/html; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(html).toContain(`Records are kept in ${place.storage}.`);
      expect(html).toContain("The Lamplighter&#39;s Atlas");
      expect(html).toContain("<code>/api/v1/books/:id(\\d{13})/loans</code>");
      expect(html).toMatch(
        /<code>curl -i -H &quot;Authorization: Bearer \$TOKEN&quot; -X DELETE http:\/\/[^/]+\/api\/v1\/books\/\d{13}<\/code>/,
      );
      expect(html).not.toContain("<script");
      const css = await send("/bookshelf.css");
      expect([css.headers.get("content-type"), css.headers.get("cache-control")]).toEqual([
        "text/css; charset=utf-8",
        "public, max-age=3600",
      ]);
      expect(await css.text()).toContain("color-scheme");
    },
  },
  {
    title: "HTML in a title is escaped",
    async run(send) {
      const title = `<script>alert("x")</script>&`;
      const id = await addBook(send, { title, authors: ['" onmouseover="alert(1)'] });
      const html = await (await send("/")).text();
      await send(`/api/v1/books/${id}`, { method: "DELETE" });
      expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;");
      expect(html).not.toMatch(/<script|" onmouseover="/);
    },
  },
  {
    title: "a cookie stores the chosen theme",
    async run(send) {
      const chosen = await send("/theme", {
        method: "POST",
        body: new URLSearchParams({ theme: "dark" }),
      });
      expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/"]);
      expect(chosen.headers.getSetCookie()).toEqual([
        "theme=dark; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
      ]);
      const dark = await send("/", { headers: { cookie: "other=1; theme=dark" } });
      expect(await dark.text()).toContain(themed("dark"));
      for (const cookie of ["theme=plaid", "theme=", 'theme="><script>', "themes=dark"]) {
        const response = await send("/", { headers: { cookie } });
        expect(await response.text()).toContain(themed("system"));
      }
      const plaid = new URLSearchParams({ theme: "plaid" });
      expect((await send("/theme", { method: "POST", body: plaid })).status).toBe(422);
    },
  },
  {
    title: "the short link of a book redirects to it, with or without hyphens",
    async run(send) {
      for (const isbn of ["9799410000014", "979-9-4100-0001-4"]) {
        const response = await send(`/b/${isbn}`);
        expect([response.status, response.headers.get("location")]).toEqual([
          302,
          "/api/v1/books/9799410000014",
        ]);
      }
      expect(await problemOf(await send("/b/9799420000000"))).toEqual([
        404,
        "Book 9799420000000 not found.",
      ]);
      const elsewhere = await send("/b/%2F%2Felsewhere.example");
      expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([404, null]);
    },
  },
];
