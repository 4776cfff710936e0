import type { D1Database } from "@cloudflare/workers-types";
import { createConduit } from "./app.ts";
import { D1SqlDatabase } from "./database/d1-database.ts";

declare module "espalier" {
  interface Register {
    env: { readonly DB: D1Database };
  }
}

const app = createConduit();
// Scoped, because on Workers a binding belongs to one request.
app.scoped("database", ({ resolve }) => new D1SqlDatabase(resolve("env").DB));

export default app.worker();
