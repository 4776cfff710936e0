import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { json } from "espalier";
import { createHostileApplication } from "./application.ts";
import { wasmPages } from "./wasm-memories.ts";

// Collects garbage before reading the memory; otherwise the value includes garbage.
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const app = createHostileApplication();
app.getRouter().get("/process", () => {
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return json({ handles, rss, heapBytes: heapUsed + external, wasmPages: wasmPages() });
});
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
