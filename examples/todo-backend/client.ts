import { createClient } from "espalier/client";
import type { todos } from "./routes.ts";

// Adds a todo and prints the list. Paths, bodies and responses are checked against the routes; of the server, only
// types are imported.
const { TODOS_URL = "http://localhost:3000" } = process.env;
const client = createClient<typeof todos>({ baseUrl: TODOS_URL });

const title = process.argv[2];
if (title !== undefined) await client.POST("/todos", { body: { title } });
const { data } = await client.GET("/todos");
for (const todo of data) console.log(`${todo.completed ? "✓" : "·"} ${todo.title}`);
