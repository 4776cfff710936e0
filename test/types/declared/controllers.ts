import { Application, Controller, type ControllerContract, rules, text } from "espalier";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { Books, Clock, User } from "./register.ts";

const router = new Application().getRouter();

// Services and user of a contract.
class Guarded extends Controller.for({
  inject: ["books", "typed.clock", "typed.database"],
  middleware: ["auth", "limit:5"],
}) {
  handle(): Response {
    expectTypeOf(this.services.books).toEqualTypeOf<Books>();
    expectTypeOf(this.services["typed.clock"]).toEqualTypeOf<Clock>();
    expectTypeOf(this.services["typed.database"]).toEqualTypeOf<{ query(): string }>();
    expectTypeOf(this.user).toEqualTypeOf<User>();
    // @ts-expect-error not injected
    this.services.env;
    return text("");
  }
}
router.get("/guarded", Guarded, { middleware: ["tenant"] });

class Policed extends Controller.for({ middleware: ["can:edit"] }) {
  handle(): Response {
    return text(this.user.role);
  }
}
router.get("/policed", Policed);

class Open extends Controller.for({}) {
  handle(): Response {
    expectTypeOf(this.user).toEqualTypeOf<User | null | undefined>();
    expectTypeOf(this.context.requireUser()).toEqualTypeOf<User>();
    expectTypeOf(this.params).toEqualTypeOf<Record<string, string>>();
    return text("");
  }
}
router.get("/open", Open);

// @ts-expect-error an unknown service
class UnknownService extends Controller.for({ inject: ["boks"] }) {
  handle(): Response {
    return text("");
  }
}

// @ts-expect-error an unknown option
Controller.for({ bdoy: { title: { type: "string" } } });
// @ts-expect-error an unknown key of a rule
Controller.for({ body: { title: { type: "string", requierd: true } } });
// @ts-expect-error an unknown type
Controller.for({ body: { title: { type: "strng" } } });
// @ts-expect-error an unknown key inside of a rule
Controller.for({ body: { author: { schema: { name: { requierd: true } } } } });
// @ts-expect-error an unknown key of an element's rule
Controller.for({ body: { tags: { items: { typ: "string" } } } });

// Rules outside of a class.
const bookParams = rules({ id: { type: "uuid", required: true } });
class ShowBook extends Controller.for({
  params: bookParams,
  query: z.object({ page: z.number() }),
}) {
  handle(): Response {
    expectTypeOf(this.params).toEqualTypeOf<{ id: string }>();
    expectTypeOf(this.query).toEqualTypeOf<{ page: number }>();
    return text("");
  }
}
router.get("/books/:id", ShowBook);
// @ts-expect-error an unknown key of a rule
rules({ title: { type: "string", requierd: true } });
// @ts-expect-error an unknown key inside of a rule
rules({ author: { schema: { name: { requierd: true } } } });
// @ts-expect-error an unknown type
rules({ title: { type: "strng" } });

// `custom` receives the type of its rule.
class Custom extends Controller.for({
  body: { pages: { type: "number", custom: (value) => value > 1 } },
}) {
  handle(): Response {
    return text(String(this.body.pages?.toFixed()));
  }
}
router.post("/custom", Custom);
rules({ title: { type: "string", custom: (value) => value.length > 1 } });

// A contract in a variable, and the plain form of the specification.
const contract = { inject: ["books"] } as const satisfies ControllerContract;
class FromVariable extends Controller.for(contract) {
  handle(): Response {
    return text(this.services.books.find("")?.title ?? "");
  }
}
class Plain extends Controller {
  protected override schema = { name: { required: true, type: "string", min: 2 } };
  async handle(): Promise<Response> {
    return this.success({ user: this.context.user?.id });
  }
}
router.get("/variable", FromVariable).post("/plain", Plain);

export { UnknownService };
