import { Application, Controller, type Reply, rules, text } from "espalier";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { Book } from "./register.ts";

const router = new Application().getRouter();
const BookData = rules({
  id: { type: "string", required: true },
  addedAt: { type: "date", required: true },
  note: { type: "string" },
});
declare const book: Book;

class ShowBook extends Controller.for({
  responses: { 200: { data: BookData }, 201: { data: BookData }, 404: "Not found." },
}) {
  async handle() {
    if (this.query["missing"]) return this.error("Not found.", 404);
    const reply = this.success({ id: "1", addedAt: new Date() });
    expectTypeOf(reply).toExtend<Reply<200>>();
    return reply;
  }
  ok(): unknown[] {
    return [
      this.created({ id: "1", addedAt: "2026-01-01", note: "" }),
      this.success({ id: "1", addedAt: new Date() }, 201),
      this.text("plain"),
      this.noContent(),
    ];
  }
  wrong(): unknown[] {
    return [
      // @ts-expect-error a field is missing
      this.success({ id: "1" }),
      // @ts-expect-error a field has another type
      this.success({ id: 1, addedAt: "" }),
      // @ts-expect-error a field that is not declared
      this.success({ id: "1", addedAt: "", internalNote: "x" }),
      // @ts-expect-error the same in a variable
      this.success(book),
      // @ts-expect-error the same for another status
      this.created(book),
      // @ts-expect-error a status that is not declared
      this.success({ id: "1", addedAt: "" }, 202),
    ];
  }
}
router.get("/books/:id", ShowBook);

class ListBooks extends Controller.for({ responses: { 200: { data: [BookData] } } }) {
  handle() {
    return this.success([book].map(({ id, addedAt }) => ({ id, addedAt })));
  }
  wrong(): unknown[] {
    return [
      // @ts-expect-error an element has a field that is not declared
      this.success([book]),
      // @ts-expect-error not a list
      this.success({ id: "1", addedAt: "" }),
      // @ts-expect-error 201 is not declared
      this.created({ id: "1" }),
    ];
  }
}
router.get("/books", ListBooks);

class Raw extends Controller.for({
  responses: {
    200: { body: { count: { type: "integer", required: true } } },
    202: { body: z.object({ at: z.iso.date() }) },
  },
}) {
  handle() {
    return this.json({ count: 1 });
  }
  other(): unknown[] {
    return [
      this.json({ at: "2026-01-01" }, 202),
      // @ts-expect-error a field has another type
      this.json({ count: "1" }),
      // @ts-expect-error a field that is not declared
      this.json({ count: 1, total: 2 }),
    ];
  }
}
router.get("/raw", Raw);

// Without responses, every value is accepted.
class Open extends Controller.for({}) {
  handle() {
    return this.success(book);
  }
}
router.get("/open", Open);

// @ts-expect-error an unknown key of a rule
Controller.for({ responses: { 200: { data: { id: { type: "string", requierd: true } } } } });
// @ts-expect-error an unknown member of a response
Controller.for({ responses: { 200: { dta: BookData } } });
// @ts-expect-error an unknown member of a response
router.get("/typo", () => text(""), { responses: { 200: { data: BookData, sumary: "" } } });
router.get("/documented", () => text(""), { responses: { 200: { data: BookData }, 404: "None." } });
