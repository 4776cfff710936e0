import { json } from "espalier";
import { createHostileApplication } from "./application.ts";
import { wasmPages } from "./wasm-memories.ts";

const app = createHostileApplication();
app.getRouter().get("/process", () => {
  const { rss, heapUsed } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return json({ handles, rss, heapUsed, wasmPages: wasmPages() });
});
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
