import { Application, type ApplicationOptions } from "espalier";
import {
  ChangeTodo,
  ClearTodos,
  CreateTodo,
  ListTodos,
  RemoveTodo,
  ShowTodo,
} from "./controllers.ts";
import type { Todos } from "./todos.ts";

declare module "espalier" {
  interface Register {
    services: { todos: Todos };
  }
}

/** Creates the todo API. `worker.ts` and `server.ts` provide its store. */
export function createTodoBackend(options: ApplicationOptions = {}): Application {
  // Any origin: the clients are hosted elsewhere.
  const app = new Application({ cors: true, ...options });
  app.getRouter().group("/todos", { name: "todos" }, (todos) => {
    todos.get("/", ListTodos);
    todos.post("/", CreateTodo);
    todos.delete("/", ClearTodos);
    // Any number of up to 15 digits is a safe integer.
    todos.group("/:id(\\d{1,15})", (todo) => {
      todo.get("/", ShowTodo, { name: "show" });
      todo.patch("/", ChangeTodo);
      todo.delete("/", RemoveTodo);
    });
  });
  return app;
}
