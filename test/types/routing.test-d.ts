import { Controller } from "../../src/controllers/controller.ts";
import type { RequestContext } from "../../src/http/context.ts";
import type { NoParams, PathParams } from "../../src/routing/path-types.ts";
import { StandaloneRouter as Router } from "../../src/routing/standalone-router.ts";

// Checked by `tsc -p test`; nothing here runs.

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Claim extends true>(): void => {};

// Parameters of a pattern.
holds<Equal<PathParams<"/">, NoParams>>();
holds<Equal<PathParams<"/users">, NoParams>>();
holds<Equal<PathParams<"/users/:id">, { id: string }>>();
holds<Equal<PathParams<"/users/:id/">, { id: string }>>();
holds<Equal<PathParams<"/users/:userId/posts/:postId">, { userId: string; postId: string }>>();
holds<Equal<PathParams<"/users/:id/:tab?/*rest">, { id: string; tab?: string; rest: string }>>();
holds<Equal<PathParams<"/:language(en|de)?/about">, { language?: string }>>();
holds<Equal<PathParams<"/:id(\\d+)">, { id: string }>>();
holds<Equal<PathParams<"/:id(\\d+)/:slug">, { id: string; slug: string }>>();
holds<Equal<PathParams<"/:id((?:a|b)[(:x)]\\):y)/z/:last">, { id: string; last: string }>>();
holds<Equal<PathParams<"/:file.:ext">, { file: string; ext: string }>>();
holds<Equal<PathParams<"/v:major-:minor.json">, { major: string; minor: string }>>();
holds<Equal<PathParams<"/:year(\\d{4})-:month(\\d{2})">, { year: string; month: string }>>();
holds<Equal<PathParams<"/*">, { "*": string }>>();
holds<Equal<PathParams<"*">, { "*": string }>>();
holds<Equal<PathParams<"*rest">, { rest: string }>>();
holds<Equal<PathParams<"/files/*path">, { path: string }>>();
holds<Equal<PathParams<"/a\\:b/:c">, { c: string }>>();
holds<Equal<PathParams<"/a/\\*">, NoParams>>();
holds<Equal<PathParams<"/:$_a1Z">, { $_a1Z: string }>>();
holds<Equal<PathParams<"/x/:__proto__">, { __proto__: string }>>();
holds<Equal<PathParams<string>, Record<string, string>>>();

const router = new Router();
const text = (value: string): Response => new Response(value);

// A function handler's context is inferred from the path.
router.get("/users/:id", (ctx) => text(ctx.params.id));
router.get("/users/:id", async (ctx) => text(ctx.params.id));
// @ts-expect-error the pattern has no parameter of this name
router.get("/users/:id", (ctx) => text(ctx.params.nope));
// @ts-expect-error a path without parameters has none
router.get("/users", (ctx) => text(ctx.params.id));
// @ts-expect-error an optional parameter may be undefined
router.get("/users/:id?", (ctx) => text(ctx.params.id));
router.all("/files/*", (ctx) => text(ctx.params["*"]));
router.match(["GET", "POST"], "/x/:y", (ctx) => text(ctx.params.y));
// @ts-expect-error a handler returns a Response
router.get("/", () => "text");
// @ts-expect-error an option of another name
router.get("/", () => text(""), { middlewares: ["auth"] });

// A path that is computed gives plain strings.
const computed: string = ["/x", "/:y"].join("");
router.get(computed, (ctx) => {
  holds<Equal<typeof ctx.params, Record<string, string>>>();
  return text("");
});

// A group's prefix counts, at any depth and in both forms.
router.group("/users/:id", (users) => {
  users.get("/", (ctx) => text(ctx.params.id));
  users.get("/posts/:post", (ctx) => text(ctx.params.id + ctx.params.post));
  // @ts-expect-error neither the prefix nor the path has it
  users.get("/posts/:post", (ctx) => text(ctx.params.nope));
  users.group("/files", { middleware: ["auth"] }, (files) => {
    files.get("*path", (ctx) => text(ctx.params.id + ctx.params.path));
    files.get("/*path", (ctx) => text(ctx.params.id + ctx.params.path));
  });
});

// What takes a Router takes a group's as well.
function registerBooks(books: Router): void {
  books.get("/:id", (ctx) => text(ctx.params.id));
}
router.group("/books", registerBooks);
router.group("/shops/:shop", registerBooks);

// Controllers of every kind.
class Plain extends Controller {
  handle(): Promise<Response> {
    return Promise.resolve(this.success({}));
  }
}
class WithContext extends Controller {
  async handle(ctx: RequestContext): Promise<Response> {
    return this.text(Object.values(ctx.params).join());
  }
}
class WithServices extends Controller {
  static readonly inject = ["books"];
  readonly #books: Map<string, string>;
  constructor(books: Map<string, string>) {
    super();
    this.#books = books;
  }
  async handle(): Promise<Response> {
    return this.json([...this.#books]);
  }
}
class WithTypes extends Controller.for({ body: { name: { type: "string", required: true } } }) {
  async handle(): Promise<Response> {
    return this.text(this.body.name);
  }
}
router.get("/a/:id", Plain);
router.post("/a/:id", WithContext);
router.put("/a/:id", WithServices);
router.patch("/a/:id", WithTypes);
// @ts-expect-error an instance is not a class
router.get("/a", new Plain());
// @ts-expect-error a class without handle
router.get("/a", class {});

// A resource's members have its parameter.
router.resource("/shops/:shop/books", {
  index: (ctx) => text(ctx.params.shop),
  show: (ctx) => text(ctx.params.shop + ctx.params.id),
  update: Plain,
});
router.resource("/books", { show: (ctx) => text(ctx.params.isbn) }, { param: "isbn" });
// @ts-expect-error the parameter is called id
router.resource("/books", { show: (ctx) => text(ctx.params.isbn) });

router.url("books.show", { id: 7, tab: undefined }, { page: 2, tag: ["a", "b"] });
