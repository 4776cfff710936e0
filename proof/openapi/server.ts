import { createBookshelf } from "../../examples/bookshelf/app.ts";
import { Application } from "../../src/index.ts";
import { gardenersToken, plantOrchard } from "../../test/openapi/support/orchard.ts";

// Rate limits are irrelevant to the OpenAPI document.
process.env["RATE_LIMITS"] ??= "off";
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };
const app =
  process.argv[2] === "bookshelf"
    ? createBookshelf({ logger })
    : plantOrchard(new Application({ logger }));
app.exposeOpenApi("/proof/openapi.json", { exact: true });
const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
console.log(`listening ${url} ${gardenersToken}`);
