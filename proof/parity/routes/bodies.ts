import { json, type Router } from "espalier";

/** Returns the fields of a form; files by name, type and content. */
async function describe(body: unknown): Promise<unknown> {
  if (typeof body !== "object" || body === null) return body ?? null;
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const parts: unknown[] = [];
    for (const part of [value].flat()) {
      parts.push(part instanceof File ? [part.name, part.type, await part.text()] : part);
    }
    fields.push([name, parts]);
  }
  return fields;
}

/** Registers routes with parsed, unparsed, re-read and limited bodies. */
export function addBodies(router: Router): void {
  router.match(["POST", "PUT", "PATCH", "DELETE"], "/echo", (ctx) =>
    json({ body: ctx.body ?? null, bytes: ctx.rawBody?.length ?? null }),
  );
  router.post("/form", async (ctx) => json(await describe(ctx.body)));
  router.post("/again", async (ctx) => json([ctx.body ?? null, await ctx.request.text()]));
  router.post("/limited", (ctx) => json(ctx.rawBody?.length ?? null), { bodyLimit: 100 });
  router.post("/unparsed", async (ctx) => json((await ctx.request.text()).length), {
    bodyParser: false,
  });
  router.post("/ignored", () => json("the body was ignored"));
  router.get("/headers", (ctx) => json([ctx.request.headers.get("x-own"), ctx.ip === ""]));
}
