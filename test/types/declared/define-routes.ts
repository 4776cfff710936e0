import { Controller, defineRoutes, json, text } from "espalier";
import { createClient } from "espalier/client";
import { expectTypeOf } from "vitest";
import type { Book, User } from "./register.ts";

class ShowBook extends Controller.for({ inject: ["books"], middleware: ["auth"] }) {
  handle() {
    expectTypeOf(this.user).toEqualTypeOf<User>();
    return this.json(this.services.books.find("7") ?? null);
  }
}

// What the middleware of the group and of the route adds is known in handlers.
const routes = defineRoutes("/:shelf/books", { middleware: ["tenant"] }, (r) => [
  r.get("/:id", ShowBook),
  r.get("/", (ctx) => text(ctx.state.tenant + ctx.params.shelf)),
  r.post("/", (ctx) => json({ by: ctx.user.id, title: ctx.validated.body.title }), {
    middleware: ["auth"],
    body: { title: { type: "string", required: true } },
  }),
]);

// Functions in the list of the middleware leave the other types as they are.
const inline = defineRoutes("/inline", { middleware: [(_ctx, next) => next(), "tenant"] }, (r) => [
  r.put("/:id", (ctx) => json({ by: ctx.user.id + ctx.state.tenant, ...ctx.validated.body }), {
    middleware: ["auth", async (_ctx, next) => await next()],
    body: { title: { type: "string", required: true } },
  }),
]);

defineRoutes("/", (r) => [
  // @ts-expect-error a middleware that is not declared
  r.get("/", () => text(""), { middleware: ["auht"] }),
  // @ts-expect-error an unknown option
  r.get("/", () => text(""), { middlewares: [] }),
  // @ts-expect-error a rule has no such key
  r.get("/", () => text(""), { query: { page: { typ: "integer" } } }),
  // @ts-expect-error the pattern has no such parameter
  r.get("/:id", (ctx) => text(ctx.params.ib)),
  // @ts-expect-error a handler returns a Response
  r.get("/", () => "text"),
]);
// @ts-expect-error an unknown option of the group
defineRoutes("/", { prefix: "/x" }, (r) => [r.get("/", () => text(""))]);

const client = createClient<typeof routes>({ baseUrl: "https://api.example.org" });

export async function call(): Promise<void> {
  const params = { path: { shelf: "a", id: "7" } };
  const shown = await client.GET("/{shelf}/books/{id}", { params });
  expectTypeOf(shown.data?.title).toEqualTypeOf<Book["title"] | undefined>();
  expectTypeOf(shown.data?.addedAt).toEqualTypeOf<string | undefined>();
  const { data } = await client.POST("/{shelf}/books", {
    params: { path: { shelf: "a" } },
    body: { title: "Emma" },
  });
  expectTypeOf(data).toEqualTypeOf<{ by: string; title: string }>();
  const changed = await createClient<typeof inline>({ baseUrl: "https://api.example.org" }).PUT(
    "/inline/{id}",
    { params: { path: { id: "7" } }, body: { title: "Emma" } },
  );
  expectTypeOf(changed.data).toEqualTypeOf<{ by: string; title: string }>();
}
