import { createTodoBackend } from "../../examples/todo-backend/app.ts";
import { MemoryTodos } from "../../examples/todo-backend/memory-todos.ts";

const app = createTodoBackend({ host: "127.0.0.1" });
app.singleton("todos", () => new MemoryTodos());
const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
