/** A program that uses the package. */
export interface Program {
  /** Name of its module. */
  readonly name: string;
  readonly summary: string;
  readonly text: string;
  /** First major version of TypeScript that compiles it; undefined if all do. */
  readonly failsBefore?: number;
}

/** Checks that two types are the same: `same<Type, Expected>(true)`. */
const same = `
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_isSame: Same<A, B>): void {}
`;

const application = `
import { Application, Controller, created, defineRoutes, json } from "espalier";
import { createClient } from "espalier/client";
import { createTestClient } from "espalier/testing";

declare module "espalier" {
  interface Register {
    user: { id: string };
    services: { books: { find(id: number): { title: string; addedAt: Date } } };
    middleware: { auth: { user: { id: string } } };
    events: { "book.added": { title: string } };
    jobs: { "mail.send": { to: string } };
  }
}
${same}
class ShowBook extends Controller.for({
  inject: ["books"],
  middleware: ["auth"],
  params: { id: { type: "integer", required: true } },
  query: { language: { type: "string", enum: ["en", "fr"], default: "en" } },
}) {
  handle() {
    same<typeof this.params.id, number>(true);
    same<typeof this.query.language, "en" | "fr">(true);
    same<typeof this.user, { id: string }>(true);
    return this.success(this.services.books.find(this.params.id));
  }
}

const books = defineRoutes("/books", (r) => [
  r.get("/:id", ShowBook),
  r.post("/", (ctx) => created({ title: ctx.validated.body.title, by: ctx.user.id }), {
    middleware: ["auth"],
    body: { title: { type: "string", required: true } },
  }),
]);

const app = new Application();
app.getRouter().include(books);
app.getRouter().get("/shelves/:shelf/*rest", (ctx) => {
  same<typeof ctx.params.shelf, string>(true);
  // @ts-expect-error the pattern has no such parameter
  ctx.params.self;
  return json(ctx.params);
});
app.on("book.added", ({ title }) => same<typeof title, string>(true));
app.getQueue().process("mail.send", ({ payload }) => same<typeof payload.to, string>(true));
app.schedule("0 3 * * *", "mail.send", { once: true });

const client = createClient<typeof books>({ baseUrl: "https://api.example.org" });
const shown = await client.GET("/books/{id}", { params: { path: { id: 7 } } });
same<typeof shown.data.data.title, string>(true);
same<typeof shown.data.data.addedAt, string>(true);
const added = await client.POST("/books", { body: { title: "Emma" } });
same<typeof added.data.data.title, string>(true);
same<typeof added.data.data.by, string>(true);
// @ts-expect-error the body has no such field
await client.POST("/books", { body: { titel: "Emma" } });
await createTestClient(app).get("/books/7");
`;

/** Not that of BullMQ, whose own declarations need those of Node. */
const otherEntries = `
import * as cloudflare from "espalier/cloudflare";
import * as core from "espalier/core";
import * as deno from "espalier/deno";
import * as middleware from "espalier/middleware";
import * as node from "espalier/node";
import * as postgres from "espalier/postgres";
import * as redis from "espalier/redis";
import * as websocket from "espalier/websocket";

export { cloudflare, core, deno, middleware, node, postgres, redis, websocket };
`;

const middlewareFunction = `
import { defineRoutes, json } from "espalier";
import { createClient } from "espalier/client";
${same}
const totals = defineRoutes("/totals", (r) => [
  r.post("/", (ctx) => json({ total: ctx.validated.body.count }), {
    middleware: [async (_ctx, next) => await next()],
    body: { count: { type: "number", required: true } },
  }),
]);
const client = createClient<typeof totals>({ baseUrl: "https://api.example.org" });
const { data } = await client.POST("/totals", { body: { count: 1 } });
same<typeof data, { total: number }>(true);
`;

export const programs: readonly Program[] = [
  { name: "application", summary: "application and typed client", text: application },
  { name: "other-entries", summary: "other entries", text: otherEntries },
  {
    name: "middleware-function",
    summary: "typed client of a route with rules and a function as middleware",
    text: middlewareFunction,
    failsBefore: 6,
  },
];
