import { readFileSync } from "node:fs";
import { startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";

/** The example, running as a server. */
export interface TodoServer {
  /** URL of the todos: `http://127.0.0.1:49152/todos`. */
  readonly todosUrl: string;
  stop(): Promise<unknown>;
}

/** Runtimes of the example, each with a separate store. */
export const platforms = ["node", "workerd"] as const;

export function startTodoServer(platform: (typeof platforms)[number]): Promise<TodoServer> {
  return platform === "node" ? startOnNode() : startOnWorkerd();
}

async function startOnNode(): Promise<TodoServer> {
  const { url, stop } = await startServerProcess("test/examples/todo-backend-listen.mjs", "node");
  return { todosUrl: `${url}todos`, stop };
}

async function startOnWorkerd(): Promise<TodoServer> {
  const mf = await startWorkerd("examples/todo-backend/worker.ts", {
    env: { DB: { type: "d1", id: "DB" } },
  });
  const migration = new URL(
    "../../examples/todo-backend/migrations/0001_todos.sql",
    import.meta.url,
  );
  const database = await mf.getD1Database("DB");
  await database.prepare(readFileSync(migration, "utf8")).run();
  return { todosUrl: new URL("todos", await mf.ready).href, stop: () => mf.dispose() };
}
