import type { Application } from "espalier";
import openapiTypescript, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { loadBookshelf } from "../support/bookshelf.ts";
import { createLibrary } from "./library.ts";

/** The types of a client of it, as `espalier openapi --client` writes them. */
async function clientTypes(app: Application): Promise<string> {
  const document = JSON.stringify(await app.createOpenApiDocument());
  await app.stop();
  return astToString(await openapiTypescript(document));
}

// `npx vitest run test/client -u` makes them again.
test.each([
  ["bookshelf", await loadBookshelf()],
  ["library", createLibrary],
])("the types that the other tests use are those of the %s today", async (name, create) => {
  await expect(await clientTypes(create())).toMatchFileSnapshot(`./${name}-api.ts`);
});
