import type { D1Database } from "@cloudflare/workers-types";
import { createTodoBackend } from "./app.ts";
import { D1Todos } from "./d1-todos.ts";

declare module "espalier" {
  interface Register {
    env: { readonly DB: D1Database };
  }
}

const app = createTodoBackend();
// Scoped, because on Workers a binding belongs to one request.
app.scoped("todos", ({ resolve }) => new D1Todos(resolve("env").DB));

export default app.worker();
