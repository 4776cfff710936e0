import { type AddingMiddleware, Application, createAuthMiddleware, text } from "espalier";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { User } from "./register.ts";

const router = new Application().getRouter();

// Validated values, in the order of the specification: path, handler, options.
router.post(
  "/flat/:id",
  (ctx) => {
    expectTypeOf(ctx.validated).toEqualTypeOf<{ title: string; year?: number }>();
    expectTypeOf(ctx.params).toEqualTypeOf<{ id: string }>();
    return text(ctx.validated.title);
  },
  { validation: { title: { type: "string", required: true }, year: { type: "integer" } } },
);
router.post(
  "/by-source/:id",
  (ctx) => {
    expectTypeOf(ctx.validated.query.page).toEqualTypeOf<number>();
    expectTypeOf(ctx.validated.body.title).toEqualTypeOf<string>();
    // @ts-expect-error no such source
    ctx.validated.params;
    return text("");
  },
  {
    query: { page: { type: "integer", default: 1 } },
    body: { title: { type: "string", required: true } },
  },
);
router.post("/schema", (ctx) => text(ctx.validated.title), {
  validation: z.object({ title: z.string() }),
});
router.get("/without", (ctx) => {
  expectTypeOf(ctx.validated).toEqualTypeOf<unknown>();
  expectTypeOf(ctx.user).toEqualTypeOf<User | null | undefined>();
  expectTypeOf(ctx.state.tenant).toEqualTypeOf<string | undefined>();
  return text(ctx.requireUser().id);
});
// @ts-expect-error a field without a rule
router.post("/typo", (ctx) => text(ctx.validated.titel), {
  validation: { title: { type: "string", required: true } },
});
// @ts-expect-error an unknown key of a rule
router.post("/typo", () => text(""), { validation: { title: { type: "string", requierd: true } } });
// @ts-expect-error an unknown key of a rule
router.post("/typo", () => text(""), { validation: { body: { title: { requierd: true } } } });
// @ts-expect-error an unknown key of a rule
router.post("/typo", () => text(""), { body: { title: { type: "string", requierd: true } } });
// @ts-expect-error an unknown option
router.post("/typo", () => text(""), { bdoy: { title: { type: "string" } } });

// Rules of groups are combined with those of the route.
router.group("/shops", { validation: { shop: { type: "string", required: true } } }, (shops) => {
  shops.get("/", (ctx) => text(ctx.validated.shop));
  shops.get(
    "/:city",
    (ctx) => {
      expectTypeOf(ctx.validated.city).toEqualTypeOf<string>();
      expectTypeOf(ctx.validated.shop).toEqualTypeOf<string>();
      return text("");
    },
    { validation: { city: { type: "string", required: true } } },
  );
  // The rules of the group are by source too then, and not in the type.
  shops.post("/", (ctx) => text(ctx.validated.body.name), {
    body: { name: { type: "string", required: true } },
  });
});
router.group("/by-source", { validation: { query: { page: { type: "integer" } } } }, (group) => {
  group.get(
    "/",
    (ctx) => {
      expectTypeOf(ctx.validated).toEqualTypeOf<unknown>();
      return text("");
    },
    { validation: { city: { type: "string" } } },
  );
});

// Members that middleware adds.
router.get("/user", (ctx) => text(ctx.user.id + ctx.state.tenant), {
  middleware: ["auth", "tenant"],
});
router.get("/policy", (ctx) => text(ctx.user.role), { middleware: ["can:edit"] });
router.group("/members", { middleware: ["auth"] }, (members) => {
  members.group("/:member", (member) => {
    member.get("/:book", (ctx) => text(ctx.user.id + ctx.params.member + ctx.params.book));
  });
  members.resource(
    "/books",
    { show: (ctx) => text(ctx.user.id + ctx.params.isbn + ctx.state.tenant) },
    { param: "isbn", middleware: ["tenant"] },
  );
});
declare const acl: AddingMiddleware<{ acl: { may(action: string): boolean } }>;
router.get("/acl", (ctx) => text(String(ctx.acl.may("read"))), { middleware: [acl] });
// @ts-expect-error no middleware adds it
router.get("/acl", (ctx) => text(String(ctx.acl.may("read"))));
declare const auth: Parameters<typeof createAuthMiddleware>[0];
router.get("/inline", (ctx) => text(ctx.user.role), { middleware: [createAuthMiddleware(auth)] });
// @ts-expect-error no user is required
router.get("/anonymous", (ctx) => text(ctx.user.role));

// Functions in the list of the middleware leave the other types as they are.
router.post(
  "/inline/:id",
  (ctx) => {
    expectTypeOf(ctx.validated.body.title).toEqualTypeOf<string>();
    expectTypeOf(ctx.params).toEqualTypeOf<{ id: string }>();
    expectTypeOf(ctx.user).toEqualTypeOf<User>();
    return text(ctx.state.tenant);
  },
  {
    middleware: [
      "auth",
      async (ctx, next) => {
        expectTypeOf(ctx.url).toEqualTypeOf<URL>();
        return await next();
      },
      "tenant",
    ],
    body: { title: { type: "string", required: true } },
    name: "inline",
  },
);
router.post("/inline/flat", (ctx) => text(ctx.validated.title), {
  middleware: [(_ctx, next) => next()],
  validation: { title: { type: "string", required: true } },
});
router.post("/inline/schema", (ctx) => text(ctx.validated.body.title), {
  middleware: [{ handle: (_ctx, next) => next() }, { before: (ctx) => void ctx.url }],
  body: z.object({ title: z.string() }),
});
// @ts-expect-error a middleware returns a response
router.get("/inline/wrong", () => text(""), { middleware: [async (ctx) => ctx.url.href] });
router.group(
  "/inline/:shop",
  (shop) => {
    shop.get("/", (ctx) => text(ctx.user.id + ctx.validated.page + ctx.params.shop));
  },
  {
    middleware: ["auth", (_ctx, next) => next()],
    validation: { page: { type: "string", required: true } },
  },
);
router.group("/inline", { middleware: ["auth", (_ctx, next) => next()] }, (group) => {
  group.get("/", (ctx) => text(ctx.user.id));
});
router.resource(
  "/inline",
  { show: (ctx) => text(ctx.user.id + ctx.params.isbn) },
  { param: "isbn", middleware: [(_ctx, next) => next(), "auth"] },
);
const signedIn = ["auth", "tenant"] as const;
const others: AddingMiddleware<object>[] = [];
router.get("/spread", (ctx) => text(ctx.user.id + ctx.validated.query.page), {
  middleware: [...signedIn, (_ctx, next) => next(), ...others, acl],
  query: { page: { type: "integer", required: true } },
});
router.get("/spread", () => text(""), { middleware: [...others, "auth"] });
// @ts-expect-error no list
router.get("/spread", () => text(""), { middleware: "auth" });
