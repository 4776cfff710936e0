import { join } from "node:path";
import { root } from "../../scripts/runner/root.ts";

/** A way to write the routes of an application. */
export interface Form {
  readonly name: string;
  /**
   * Maximum instantiated types of one route. Their number does not depend on the machine: a limit is exceeded by a
   * change of the types alone.
   */
  readonly limitTypesPerRoute: number;
  /** Maximum time, as a multiple of that of the plain form; undefined for forms that are not compared. */
  readonly limitRatio?: number;
  /** Lines before the routes. */
  readonly head: readonly string[];
  /** Returns the code of one route, or of a pair of them. */
  readonly route: (n: number) => string;
}

const source = (path: string): string => JSON.stringify(join(root, "src", path));

/** Routes of five kinds in turn: deep, without parameters, mixed, wildcard, in a group. */
const patterns: readonly ((n: number) => string)[] = [
  (n) =>
    `router.get("/api/${n}/users/:user/posts/:post", (c) => text(c.params.user + c.params.post));`,
  (n) => `router.post("/api/${n}/items", async (ctx) => text(ctx.url.href));`,
  (n) =>
    `router.put("/${n}/:y(\\\\d{4})-:month/:slug?", (c) => text(c.params.y), { name: "p${n}" });`,
  (n) =>
    `router.delete("/files/${n}/:owner/*path", (ctx) => text(ctx.params.owner + ctx.params.path));`,
  (n) =>
    `router.group("/${n}/:id", (g) => g.get("/:user", (c) => text(c.params.id + c.params.user)));`,
];

const application: readonly string[] = [
  `import { Application, Controller, success } from ${source("index.ts")};`,
  `declare module ${source("register.ts")} {
    interface Register {
      user: { id: string };
      services: { books: { find(title: string): string } };
      middleware: { auth: { user: { id: string } } };
    }
  }`,
  "const router = new Application().getRouter();",
];

const input = (n: number): string =>
  `params: { id: { type: "integer", required: true } },
   body: { title${n}: { type: "string", required: true, max: 200 }, year: { type: "integer" } }`;

const rulesOf = (n: number): string =>
  `validation: { title${n}: { type: "string", required: true, max: 200 }, year: { type: "integer" } }`;

/** Every other route has a controller, the rest has functions. */
const plainRoute = (n: number): string =>
  n % 2 === 0
    ? `class C${n} extends Controller.for({ ${input(n)} }) {
         async handle() {
           const title = this.context.resolve("books").find(this.body.title${n});
           return this.success({ id: this.params.id, title });
         }
       }
       router.post("/c${n}/:id", C${n}, { middleware: ["auth"], name: "c${n}" });`
    : `router.post("/f${n}/:id", (ctx) => success({ id: ctx.params.id }), {
         middleware: ["auth"], ${rulesOf(n)}
       });`;

const contractRoute = (n: number, responses: string): string =>
  n % 2 === 0
    ? `class C${n} extends Controller.for({ inject: ["books"], middleware: ["auth"], ${input(n)}${responses} }) {
         async handle() {
           const title = this.services.books.find(this.body.title${n});
           return this.success({ id: this.params.id, title });
         }
       }
       router.post("/c${n}/:id", C${n}, { middleware: ["auth"], name: "c${n}" });`
    : `router.post(
         "/f${n}/:id",
         (ctx) => success({ id: ctx.params.id, title: ctx.validated.title${n}, by: ctx.user.id }),
         { middleware: ["auth"], ${rulesOf(n)} },
       );`;

/** A schema in each contract; one that all contracts share would cost less. */
const responses = `, responses: { 200: { data: {
  id: { type: "integer", required: true }, title: { type: "string", required: true } } } }`;

/** The form with which the others are compared. */
export const plainForm: Form = {
  name: "controllers and functions",
  limitTypesPerRoute: 465,
  head: application,
  route: plainRoute,
};

export const forms: readonly Form[] = [
  {
    name: "patterns",
    limitTypesPerRoute: 150,
    head: [
      `import { StandaloneRouter } from ${source("routing/standalone-router.ts")};`,
      "const router = new StandaloneRouter();",
      "const text = (value: string): Response => new Response(value);",
    ],
    route: (n) => patterns[n % patterns.length]?.(n) ?? "",
  },
  plainForm,
  {
    name: "services, users and validated values",
    limitTypesPerRoute: 490,
    limitRatio: 1.5,
    head: application,
    route: (n) => contractRoute(n, ""),
  },
  {
    name: "declared responses",
    limitTypesPerRoute: 875,
    limitRatio: 2.5,
    head: application,
    route: (n) => contractRoute(n, responses),
  },
];
