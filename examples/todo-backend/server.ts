import { createTodoBackend } from "./app.ts";
import { MemoryTodos } from "./memory-todos.ts";

const app = createTodoBackend();
app.singleton("todos", () => new MemoryTodos());
const { url } = await app.listen();
app.logger.info(`Todos are listening on ${url}todos`);
