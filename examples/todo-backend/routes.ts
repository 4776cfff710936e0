import { defineRoutes } from "espalier";
import {
  ChangeTodo,
  ClearTodos,
  CreateTodo,
  ListTodos,
  RemoveTodo,
  ShowTodo,
} from "./controllers.ts";

// Any number of up to 15 digits is a safe integer.
const one = "/:id(\\d{1,15})";

/** All routes, as a value: `client.ts` infers a client from its type. */
export const todos = defineRoutes("/todos", { name: "todos" }, (r) => [
  r.get("/", ListTodos),
  r.post("/", CreateTodo),
  r.delete("/", ClearTodos),
  r.get(one, ShowTodo, { name: "show" }),
  r.patch(one, ChangeTodo),
  r.delete(one, RemoveTodo),
]);
