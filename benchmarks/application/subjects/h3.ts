import { getQuery, getRouterParam, H3, HTTPError, type HTTPMethod, readValidatedBody } from "h3";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
} from "../applications.ts";
import { book } from "./book-schema.ts";
import type { Subject } from "./subject.ts";
import { type TokenUser, verifyBearer } from "./verify-bearer.ts";

/** h3 with Zod (Standard Schema) and jose: it has neither validation rules nor tokens. */
export function createH3({ application, routes }: ApplicationCase): H3 {
  const app = new H3({ silent: true });
  switch (application) {
    case "hello":
    case "not-found":
      app.get("/", () => greeting);
      break;
    case "parameter":
      app.get("/users/:id", (event) => ({
        id: getRouterParam(event, "id", { decode: true }),
        page: getQuery(event)["page"],
      }));
      break;
    case "echo":
      app.post("/books", (event) => readValidatedBody(event, book));
      break;
    case "ten-middleware":
      for (const [i, name] of tenHeaders.entries()) {
        app.use(async (event, next) => {
          const value = await next();
          event.res.headers.set(name, String(i));
          return value;
        });
      }
      app.get("/", () => greeting);
      break;
    case "auth":
      app.get("/loans", (event) => ({ by: (event.context["user"] as TokenUser).id }), {
        middleware: [
          async (event) => {
            const user = await verifyBearer(event.req.headers.get("authorization"));
            if (user === undefined) throw new HTTPError({ status: 401 });
            event.context["user"] = user;
          },
          (event) => {
            const { roles } = event.context["user"] as TokenUser; // set by the previous middleware
            if (!roles.includes(requiredRole)) throw new HTTPError({ status: 403 });
          },
        ],
      });
      break;
    case "error":
      app.get("/", () => {
        throw new Error(failure);
      });
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        app.on(method as HTTPMethod, pattern, (event) => {
          const values = names.map((name) => getRouterParam(event, name, { decode: true }) ?? "");
          return tableAnswer(index, values);
        });
      }
  }
  return app;
}

export const h3: Subject = {
  name: "h3",
  create: (input) => {
    const app = createH3(input);
    return (request) => app.fetch(request);
  },
};
