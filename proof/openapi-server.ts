import { Application } from "../src/index.ts";
import { describeAt } from "../test/openapi/support/expose.ts";
import { gardenersToken, plantOrchard } from "../test/openapi/support/orchard.ts";

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };
const app = new Application({ logger: quiet });
describeAt(app, "/openapi.json", { exact: true, info: { title: "The orchard" }, ui: "/docs" });
plantOrchard(app);
const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
console.log(`listening ${url} ${gardenersToken}`);
