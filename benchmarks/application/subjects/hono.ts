import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { type JwtVariables, jwt } from "hono/jwt";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
  tokenSecret,
} from "../applications.ts";
import { book } from "./book-schema.ts";
import type { Subject } from "./subject.ts";
import type { TokenUser } from "./verify-bearer.ts";

type Variables = JwtVariables<{ user: TokenUser }>;

/** Hono with its JWT middleware, and its validator for Zod. */
export function createHono({
  application,
  routes,
}: ApplicationCase): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  switch (application) {
    case "hello":
    case "not-found":
      app.get("/", (c) => c.text(greeting));
      break;
    case "parameter":
      app.get("/users/:id", (c) => c.json({ id: c.req.param("id"), page: c.req.query("page") }));
      break;
    case "echo":
      app.post("/books", zValidator("json", book), (c) => c.json(c.req.valid("json")));
      break;
    case "ten-middleware":
      for (const [i, name] of tenHeaders.entries()) {
        app.use(async (c, next) => {
          await next();
          c.header(name, String(i));
        });
      }
      app.get("/", (c) => c.text(greeting));
      break;
    case "auth":
      app.get(
        "/loans",
        jwt({ secret: tokenSecret, alg: "HS256" }),
        async (c, next) => {
          if (!c.get("jwtPayload").user.roles.includes(requiredRole))
            return c.text("Forbidden", 403);
          return next();
        },
        (c) => c.json({ by: c.get("jwtPayload").user.id }),
      );
      break;
    case "error":
      app.get("/", () => {
        throw new Error(failure);
      });
      app.onError((_error, c) => c.text("Internal Server Error", 500)); // the default handler logs
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        app.on(method, pattern, (c) => {
          const values = names.map((name) => c.req.param(name) ?? "");
          return c.text(tableAnswer(index, values));
        });
      }
  }
  return app;
}

export const hono: Subject = {
  name: "Hono",
  create: (input) => {
    const app = createHono(input);
    return (request) => app.fetch(request);
  },
};
