import { json } from "espalier";
import { createRuntimeApplication } from "./application.ts";

/** For a page whose policy may forbid WebAssembly: says which matcher answers, and whether it is right. */
const app = createRuntimeApplication();
app.getRouter().get("/api/engine", () => json({ engine: app.getRouter().matcher.engine }));

const found = await app.request("/api/admin/books/12", {
  headers: { authorization: "Bearer letmein" },
});
const engine = await app.request("/api/engine");
// Types of pages and of workers exclude each other, and the tests have those of workers.
const { document } = globalThis as unknown as { document: { title: string } };
document.title = JSON.stringify({ status: found.status, ...(await engine.json()) });
