import { Application, json, text } from "espalier";
import { expectTypeOf } from "vitest";
import type { Book, Books, Clock, User } from "./register.ts";

const app = new Application();
const router = app.getRouter();

// Services.
expectTypeOf(app.resolve("books")).toEqualTypeOf<Books>();
expectTypeOf(app.resolve<Clock>("books")).toEqualTypeOf<Clock>();
expectTypeOf(app.resolve("plugin.mailer")).toEqualTypeOf<{ send(): void }>();
app.singleton("books", ({ resolve }) => {
  expectTypeOf(resolve("typed.clock")).toEqualTypeOf<Clock>();
  // @ts-expect-error an unknown service
  resolve("typed.clok");
  return { find: () => undefined, add: async () => ({}) as Book };
});
// @ts-expect-error an unknown service
app.resolve("boks");
// @ts-expect-error the declared type is another
const wrong: Clock = app.resolve("books");
// @ts-expect-error an unknown service
app.singleton("boks", () => ({}));
// @ts-expect-error an unknown service
app.instance("boks", {});
router.get("/services", (ctx) => {
  expectTypeOf(ctx.resolve("books")).toEqualTypeOf<Books>();
  // @ts-expect-error an unknown service
  ctx.resolve("boks");
  return text(String(wrong));
});

// Middleware and policies.
app.middleware("auth", (_ctx, next) => next()).middleware("plugin.trace", (_ctx, next) => next());
app.middleware("can", (_ctx, next) => next());
// @ts-expect-error an unknown middleware
app.middleware("auht", (_ctx, next) => next());
app.definePolicy("edit", (ctx) => {
  expectTypeOf(ctx.user).toExtend<User>();
  return ctx.user.role === "editor";
});
app.definePolicy("role", (ctx, role) => {
  expectTypeOf(role).toEqualTypeOf<"reader" | "editor">();
  return ctx.user.role === role;
});
app.definePolicies({ edit: () => true, role: async (_ctx, role) => role === "editor" });
// @ts-expect-error an unknown policy
app.definePolicy("edti", () => true);
// @ts-expect-error an unknown policy
app.definePolicies({ edti: () => true });
router.get("/names", () => text(""), {
  middleware: [
    "auth",
    "limit:5",
    "can:edit",
    "can:role,editor",
    "can:free",
    "can:free,a,b",
    "plugin.trace",
  ],
});
// @ts-expect-error an unknown middleware
router.get("/names", () => text(""), { middleware: ["auht"] });
// @ts-expect-error an unknown policy
router.get("/names", () => text(""), { middleware: ["can:edti"] });
// @ts-expect-error the policy has no such argument
router.get("/names", () => text(""), { middleware: ["can:role,admin"] });
// @ts-expect-error the policy requires an argument
router.get("/names", () => text(""), { middleware: ["can:role"] });
// @ts-expect-error the policy has no arguments
router.get("/names", () => text(""), { middleware: ["can:edit,x"] });
// @ts-expect-error an unknown middleware of a group
router.group("/names", () => {}, { middleware: ["auht"] });

// Routes.
expectTypeOf(router.url("books.show", { id: 7 }, { page: 2 })).toEqualTypeOf<string>();
router.url("home");
router.url("plugin.docs");
// @ts-expect-error an unknown route
router.url("books.shwo", { id: 7 });
// @ts-expect-error the parameter is missing
router.url("books.show");
// @ts-expect-error the parameter has another name
router.url("books.show", { isbn: 7 });

// Events.
app.on("typed.created", ({ id }) => id);
app.on("typed.*", (payload) => payload);
app.on("*", (payload) => payload);
app.on("queue.failed", ({ attempts }) => attempts);
app.on("plugin.sent", ({ to }) => to);
await app.emit("typed.created", { id: "1" });
await app.emit("plugin.sent", { to: "a@example.org" });
app.emitSync("typed.tick");
// @ts-expect-error an unknown event
await app.emit("typed.craeted", { id: "1" });
// @ts-expect-error an unknown event
app.on("typed.craeted", () => {});
// @ts-expect-error an unknown event
app.once("typed.craeted", () => {});
// @ts-expect-error the payload is another
await app.emit("typed.created", { id: 1 });

// Configuration.
expectTypeOf(app.getConfig("typed.plain")).toEqualTypeOf<
  Readonly<{ readonly host: string; readonly port?: number }>
>();
expectTypeOf(app.getConfig<Clock>("typed.plain")).toEqualTypeOf<Clock>();
expectTypeOf(app.getConfig("plugin.smtp").host).toEqualTypeOf<string>();
// @ts-expect-error an unknown section
app.getConfig("typed.plian");
// @ts-expect-error an unknown section
app.configure("typed.plian", { schema: { host: String } });
app.configure("typed.plain", { schema: { host: String, port: Number } });

// Jobs.
await app.getQueue().enqueue("plugin.send", { to: "a@example.org" });
app.schedule("0 3 * * *", "book.added");
// @ts-expect-error an unknown job
await app.getQueue().enqueue("book.addde", { id: "1" });
// @ts-expect-error an unknown job
app.getQueue().process("book.addde", () => {});
// @ts-expect-error an unknown job
app.schedule("0 3 * * *", "book.addde");

router.get("/state", (ctx) => json([ctx.state.tenant, ctx.state.startedAt, ctx.state.claims]));
// @ts-expect-error an unknown member of the state
router.get("/state", (ctx) => json(ctx.state.tennant));
