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

/** A list of todos as an API. `worker.ts` and `server.ts` say where they are kept. */
export function createTodoBackend(options: ApplicationOptions = {}): Application {
  // Every page may use it: the clients are hosted elsewhere.
  const app = new Application({ cors: true, ...options });
  app.getRouter().group("/todos", { name: "todos" }, (todos) => {
    todos.get("/", ListTodos);
    todos.post("/", CreateTodo);
    todos.delete("/", ClearTodos);
    // Fifteen digits are always a whole number that JavaScript can count to.
    todos.group("/:id(\\d{1,15})", (todo) => {
      todo.get("/", ShowTodo, { name: "show" });
      todo.patch("/", ChangeTodo);
      todo.delete("/", RemoveTodo);
    });
  });
  return app;
}
