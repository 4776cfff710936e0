import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import { addBook, addMember, type BookAnswer, giveBack, type LoanAnswer, lend } from "./records.ts";
import { dataOf, errorsOf, type Send } from "./send.ts";

async function titles(send: Send, query: string): Promise<readonly string[]> {
  const books = await dataOf<BookAnswer[]>(await send(`/api/v1/books?${query}`));
  return books.map(({ title }) => title);
}

/** Returns the target of a relation in a `Link` header. */
function linkOf(response: Response, relation: string): string | undefined {
  const link = response.headers.get("link") ?? "";
  return new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link)?.[1];
}

export const catalogueAssertions: readonly BookshelfAssertion[] = [
  {
    title: "the seeded books are listed, sorted by title",
    async run(send) {
      expect(await titles(send, "perPage=3")).toEqual([
        "A Field Guide to Quiet Machines",
        "Bread for a Small Moon",
        "How the Hedgerow Keeps Its Books",
      ]);
    },
  },
  {
    title: "the Link header leads through all pages in both directions",
    async run(send) {
      const seen: string[] = [];
      let path: string | undefined = "/api/v1/books?perPage=5&tag=night";
      let last: Response | undefined;
      while (path !== undefined) {
        last = await send(path);
        seen.push(...(await dataOf<BookAnswer[]>(last)).map(({ id }) => id));
        path = linkOf(last, "next");
      }
      const total = Number(last?.headers.get("x-total-count"));
      expect(total).toBeGreaterThanOrEqual(3);
      expect(new Set(seen).size).toBe(total);

      const second = await send("/api/v1/books?perPage=5&page=2");
      expect(linkOf(second, "first")).toBe("/api/v1/books?sort=title&page=1&perPage=5");
      expect(linkOf(second, "prev")).toBe(linkOf(second, "first"));
      const end = await send(linkOf(second, "last") ?? "");
      expect([end.status, linkOf(end, "next")]).toEqual([200, undefined]);
    },
  },
  {
    title: "a page after the last one is empty and links back",
    async run(send) {
      const response = await send("/api/v1/books?page=9999");
      expect([linkOf(response, "next"), linkOf(response, "last")]).toEqual([
        undefined,
        expect.stringContaining("page="),
      ]);
      expect(await dataOf(response)).toEqual([]);
    },
  },
  {
    title: "books are found by text, tag and availability",
    async run(send) {
      expect(await titles(send, "search=saltGRAVE&sort=newest")).toEqual([
        "Salt Road, Slow Boat",
        "The Ferrywoman Counts to Ten",
      ]);
      expect(await titles(send, "tag=gardens&sort=oldest")).toEqual([
        "How the Hedgerow Keeps Its Books",
        "Orchards Against the Wall",
      ]);
      expect(await titles(send, "tag=sea&available=true")).not.toContain(
        "The Ferrywoman Counts to Ten",
      );
      expect(await titles(send, "tag=sea&available=0")).toContain("The Ferrywoman Counts to Ten");
      expect(await titles(send, "search=no%20such%20book")).toEqual([]);
    },
  },
  {
    title: "the catalogue is cached, and every change is visible immediately",
    async run(send) {
      const [title, member] = [`Seen ${Math.random()}`, await addMember(send)];
      const find = async (): Promise<readonly boolean[]> => {
        const path = `/api/v1/books?search=${encodeURIComponent(title)}`;
        const books = await dataOf<BookAnswer[]>(await send(path));
        return books.map(({ available }) => available);
      };
      expect(await find()).toEqual([]);
      const id = await addBook(send, { title });
      expect(await find()).toEqual([true]);
      const loan = await dataOf<LoanAnswer>(await lend(send, id, member));
      expect(await find()).toEqual([false]);
      await giveBack(send, loan.id);
      expect(await find()).toEqual([true]);
      await send(`/api/v1/books/${id}`, { method: "DELETE" });
      expect(await find()).toEqual([]);
    },
  },
  {
    title: "every invalid query parameter is reported",
    async run(send) {
      const response = await send(
        "/api/v1/books?page=two&perPage=101&sort=price&available=maybe&tag=Sea!&search=%20",
      );
      expect(await errorsOf(response)).toEqual([
        422,
        {
          search: "search format is invalid",
          tag: "tag format is invalid",
          available: "available must be a boolean",
          sort: "sort must be one of: title, oldest, newest",
          page: "page must be an integer",
          perPage: "perPage must be at most 100",
        },
      ]);
    },
  },
  {
    title: "the export is CSV, quoted where necessary and safe against formula injection",
    async run(send) {
      await addBook(send, {
        title: '=HYPERLINK("x")',
        authors: ["A, B", "C"],
        pages: 7,
        tags: ["a"],
      });
      const response = await send("/api/v1/books/export.csv");
      expect(response.headers.get("content-type")).toContain("text/csv");
      expect(response.headers.get("content-disposition")).toBe('attachment; filename="books.csv"');
      const lines = (await response.text()).split("\r\n");
      expect(lines[0]).toBe("isbn,title,authors,publishedOn,pages,tags");
      expect(lines).toContain(
        "979-9-4100-0001-4,The Lamplighter's Atlas,Ilse Quillmarrow,2019-03-14,312,maps night",
      );
      expect(lines.join("\n")).toMatch(/,"'=HYPERLINK\(""x""\)","A, B; C",2020-02-29,7,a\n/);
    },
  },
];
