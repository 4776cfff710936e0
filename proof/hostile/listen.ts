import { json } from "espalier";
import { createHostileApplication } from "./application.ts";

const app = createHostileApplication();
app.getRouter().get("/process", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return json({ handles: process.getActiveResourcesInfo().length, rss, heapUsed });
});
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
