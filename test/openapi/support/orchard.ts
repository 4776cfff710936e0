import { type } from "arktype";
import { z } from "zod";
import {
  type Application,
  Controller,
  created,
  error,
  HttpError,
  json,
  type Middleware,
  noContent,
  text,
} from "../../../src/index.ts";

/** Token of the user who may change the orchard. */
export const gardenersToken = "grafting-wax";

const tree = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    sort: { type: "string" },
    plantedOn: { type: "string" },
    heightMetres: { type: "number" },
    grafts: { type: "array", items: { type: "string" } },
  },
  required: ["id", "sort"],
} as const;

const envelope = (data: object): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties: { success: { const: true }, data },
  required: ["success", "data"],
});

const gardener: Middleware = Object.assign(
  ((ctx, next) => {
    if (ctx.request.headers.get("authorization") === `Bearer ${gardenersToken}`) return next();
    throw new HttpError(401, "Only the gardener may do this.", {
      headers: { "www-authenticate": "Bearer" },
    });
  }) satisfies Middleware,
  {
    documentation: {
      responses: { 401: "Not the gardener." },
      security: { gardener: { type: "http", scheme: "bearer" } },
    },
  },
);

type TreeRecord = { readonly id: string; readonly sort: string; [detail: string]: unknown };

/** Every type of rule, nested objects and lists. */
class PlantTree extends Controller.for({
  body: {
    sort: { type: "string", required: true, min: 2, max: 40 },
    plantedOn: { type: "date" },
    heightMetres: { type: "number", min: 0, max: 30 },
    grafts: { type: "array", max: 5, items: { type: "string", min: 1, max: 20 } },
    ripeness: { enum: ["early", "mid", "late"], default: "mid" },
    owner: { type: "email", nullable: true },
    isOrganic: { type: "boolean" },
    rows: { type: "integer", min: 1 },
    place: {
      type: "object",
      schema: { row: { type: "integer", required: true }, note: { type: "string", max: 50 } },
    },
    "care.*.month": { type: "integer", min: 1, max: 12, required: true },
  },
}) {
  static readonly inject = ["trees"];
  readonly #trees: Map<string, TreeRecord>;

  constructor(trees: Map<string, TreeRecord>) {
    super();
    this.#trees = trees;
  }

  handle(): Response {
    const { sort } = this.body;
    const planted: TreeRecord = { id: crypto.randomUUID(), sort };
    this.#trees.set(planted.id, planted);
    return created(planted, `/trees/${planted.id}`);
  }
}

/** Its rules are an instance field. */
class RenameTree extends Controller {
  static readonly inject = ["trees"];
  protected override readonly schema = {
    id: { type: "uuid", required: true },
    sort: { type: "string", required: true, max: 40 },
  };
  readonly #trees: Map<string, TreeRecord>;

  constructor(trees: Map<string, TreeRecord>) {
    super();
    this.#trees = trees;
  }

  handle(): Response {
    const { id, sort } = this.context.validated as TreeRecord;
    const known = this.#trees.get(id);
    if (known === undefined) throw new HttpError(404, "There is no such tree.");
    this.#trees.set(id, { ...known, sort });
    return this.success({ ...known, sort });
  }
}

const Branch = z.object({
  lengthCm: z.number().min(0).max(1_000),
  get twigs() {
    return z.array(Branch).max(3).optional();
  },
});
const Basket = type({ apples: "1 <= number.integer <= 500", "note?": "string <= 40" });
const Search = z.object({
  q: z.string().min(1).max(20),
  limit: z.coerce.number().int().min(1).max(50).optional(),
});

/** Creates an application with a route for every feature of an OpenAPI document. */
export function plantOrchard(app: Application): Application {
  const trees = new Map<string, TreeRecord>();
  app.instance("trees", trees);
  app.middleware("gardener", gardener);
  const router = app.getRouter();

  router.group("/trees", { name: "trees" }, (group) => {
    group.get("/", () => json([...trees.values()].slice(0, 10)), {
      name: "list",
      summary: "Lists trees",
      fields: { minHeight: "Shorter ones are left out." },
      validation: {
        minHeight: { type: "number", min: 0 },
        sort: { type: "array", max: 3, items: { type: "string", max: 10 } },
        isOrganic: { type: "boolean" },
        page: { type: "integer", min: 1, max: 100, default: 1 },
      },
      responses: { 200: { schema: { type: "array", items: tree } } },
    });
    group.post("/", PlantTree, {
      name: "plant",
      summary: "Plants a tree",
      middleware: ["gardener"],
      examples: { small: { sort: "Boskoop" } },
      responses: { 201: { description: "The tree.", schema: envelope(tree) } },
    });
    group.get(
      "/:id",
      (ctx) => {
        const found = trees.get(ctx.params.id);
        if (found === undefined) throw new HttpError(404, "There is no such tree.");
        return json(found);
      },
      {
        name: "show",
        validation: { id: { type: "uuid", required: true } },
        responses: { 200: { schema: tree }, 404: "There is no such tree." },
      },
    );
    group.put("/:id", RenameTree, {
      name: "rename",
      middleware: ["gardener"],
      responses: { 200: { schema: envelope(tree) }, 404: "There is no such tree." },
    });
    group.delete(
      "/:id",
      (ctx) => {
        if (!trees.delete(ctx.params.id)) throw new HttpError(404, "There is no such tree.");
        return noContent();
      },
      {
        name: "fell",
        deprecated: true,
        middleware: ["gardener"],
        validation: { id: { type: "uuid", required: true } },
        responses: { 204: "It is gone.", 404: "There is no such tree." },
      },
    );
  });

  router.get("/rows/:row(\\d{1,3})/:place?", (ctx) => json(ctx.params), {
    responses: { 200: { schema: { type: "object" } } },
  });
  router.get("/maps/:name.:kind", (ctx) => json(ctx.params), {
    responses: { 200: { schema: { type: "object" } } },
  });
  router.get("/files/*path", (ctx) => text(ctx.params.path), {
    responses: { 200: { type: "text/plain" } },
  });
  router.post("/branches", () => json({ ok: true }), {
    validation: Branch,
    responses: { 200: { schema: { type: "object" } } },
  });
  router.post("/baskets", (ctx) => json(ctx.validated), {
    validation: Basket,
    responses: { 200: { schema: { type: "object", required: ["apples"] } } },
  });
  router.get("/search", () => json([]), {
    validation: Search,
    responses: { 200: { schema: { type: "array" } } },
  });
  router.post("/photos", (ctx) => json({ size: (ctx.validated as { photo: File }).photo.size }), {
    validation: { photo: { type: "file", required: true } },
    responses: { 200: { schema: { type: "object", required: ["size"] } } },
  });
  router.post("/letters", () => error("The letter box is full.", 409), {
    bodyTypes: ["application/x-www-form-urlencoded"],
    validation: { words: { type: "string", required: true, max: 200 } },
    responses: {
      409: { description: "It is full.", type: "application/json" },
    },
  });
  return app;
}
