import { Application, Controller, type Env, json, text } from "espalier";
import { expectTypeOf } from "vitest";

// Without a declaration in `Register`, names are any strings and values are unknown, as the specification has it.
const app = new Application();
const router = app.getRouter();

interface Users {
  find(id: string): string;
}

expectTypeOf(app.resolve("users")).toEqualTypeOf<unknown>();
expectTypeOf(app.resolve<Users>("users")).toEqualTypeOf<Users>();
const inferred: Users = app.resolve("users");
expectTypeOf(app.resolve("env")).toEqualTypeOf<Env>();
app.singleton("users", async () => 1).bind("now", () => new Date());

class ListUsers extends Controller.for({ inject: ["users"], middleware: ["auth", "limit:5"] }) {
  handle(): Response {
    expectTypeOf(this.services.users).toEqualTypeOf<unknown>();
    expectTypeOf(this.user).toEqualTypeOf<unknown>();
    return json(inferred.find(""));
  }
}
router.get("/users", ListUsers, { middleware: ["auth", "can:anything,else"] });
router.get("/state", (ctx) => {
  expectTypeOf(ctx.state).toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf(ctx.user).toEqualTypeOf<unknown>();
  return text("");
});

expectTypeOf(app.getConfig("app")).toEqualTypeOf<Readonly<Record<string, unknown>>>();
app.on("user.created", (payload) => expectTypeOf(payload).toEqualTypeOf<unknown>());
app.on("user.created", async (user: Users) => user.find(""));
await app.emit("user.created", { id: 1 });
await app.getQueue().enqueue("mail.send", { at: new Date() });
app.getQueue().process<"mail.send", { to: string }>("mail.send", (job) => job.payload.to);
