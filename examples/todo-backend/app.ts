import { Application, type ApplicationOptions } from "espalier";
import { todos } from "./routes.ts";

/** Creates the todo API. `worker.ts` and `server.ts` provide its store. */
export function createTodoBackend(options: ApplicationOptions = {}): Application {
  // Any origin: the clients are hosted elsewhere.
  const app = new Application({ cors: true, ...options });
  app.getRouter().include(todos);
  return app;
}
