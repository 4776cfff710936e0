import { Application, Controller, rules, text } from "espalier";
import type { Book } from "../declared/register.ts";

// Usual mistakes, each of which must result in a message that names it. The messages are in messages.txt.
const app = new Application();
const router = app.getRouter();
declare const book: Book;

// 1. A misspelt service.
Controller.for({ inject: ["boks"] });
app.resolve("boks");

// 2. A misspelt middleware, in a route and in a group.
router.get("/", () => text(""), { middleware: ["auht"] });
router.group("/", { middleware: ["auht"] }, () => {});

// 3. A misspelt policy, and an argument that it does not have.
router.get("/", () => text(""), { middleware: ["can:edti"] });
router.get("/", () => text(""), { middleware: ["can:role,admin"] });

// 4. A misspelt key of a rule, in each place that takes rules.
Controller.for({ body: { title: { type: "string", requierd: true } } });
router.post("/", () => text(""), { validation: { title: { type: "string", requierd: true } } });
router.post("/", () => text(""), { body: { title: { type: "string", requierd: true } } });
rules({ title: { type: "string", requierd: true } });
rules({ title: { type: "strng" } });

// 5. Rules in a variable, without their literal types.
const loose = { title: { type: "string", required: true } };
Controller.for({ body: loose });

// 6. A misspelt option.
Controller.for({ bdoy: { title: { type: "string" } } });
router.get("/", () => text(""), { middlewares: ["auth"] });

// 7. A field without a rule, and a user without a guard.
router.post("/", (ctx) => text(ctx.validated.titel), {
  validation: { title: { type: "string", required: true } },
});
router.get("/", (ctx) => text(ctx.user.id));

// 8. A response that is not declared: type, additional field, status.
class Wrong extends Controller.for({
  responses: { 201: { data: { id: { type: "string", required: true } } } },
}) {
  handle() {
    return this.created({ id: 1 });
  }
  additional() {
    return this.created(book);
  }
  status() {
    return this.success({ id: "1" });
  }
}

// 9. A value as it was before JSON.
const cached = await app.cacheRemember("key", () => ({ at: new Date() }));
cached.at.getTime();
app.getQueue().process("book.added", ({ payload }) => payload.at.getTime());

// 10. A misspelt event, section, job and route.
await app.emit("typed.craeted", { id: "1" });
app.getConfig("typed.plian");
await app.getQueue().enqueue("book.addde", { id: "1" });
router.url("books.shwo");

// 11. A handler that returns no Response, and a class without handle.
router.get("/", () => "text");
router.get("/", class {});

export { Wrong };
