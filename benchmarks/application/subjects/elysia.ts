import { jwt } from "@elysiajs/jwt";
import { Elysia, type ElysiaAdapter, t } from "elysia";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
  tokenSecret,
} from "../applications.ts";
import type { Subject } from "./subject.ts";
import type { TokenUser } from "./verify-bearer.ts";

/** The subset of Elysia used here: its full type grows with every route. */
export interface ServingElysia {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  listen(options: { port: number; hostname: string }): unknown;
  readonly server: { readonly port: number | undefined } | null;
}

/** Elysia with its compiler, schemas and JWT plugin. */
export function createElysia(
  { application, routes }: ApplicationCase,
  adapter?: ElysiaAdapter,
): ServingElysia {
  const app = new Elysia(adapter === undefined ? {} : { adapter });
  switch (application) {
    case "hello":
    case "not-found":
      app.get("/", () => greeting);
      break;
    case "parameter":
      app.get("/users/:id", ({ params, query }) => ({ id: params.id, page: query["page"] }));
      break;
    case "echo":
      app.post("/books", ({ body }) => body, {
        body: t.Object({
          title: t.String({ maxLength: 200 }),
          pages: t.Integer({ minimum: 1 }),
          tags: t.Array(t.String()),
        }),
      });
      break;
    case "ten-middleware":
      for (const [i, name] of tenHeaders.entries()) {
        app.onAfterHandle(({ set }) => {
          set.headers[name] = String(i);
        });
      }
      app.get("/", () => greeting);
      break;
    case "auth":
      app
        .use(jwt({ name: "jwt", secret: tokenSecret }))
        .resolve(async ({ jwt, headers, status }) => {
          const payload = await jwt.verify(headers["authorization"]?.slice("Bearer ".length));
          if (payload === false) return status(401);
          return { user: (payload as unknown as { user: TokenUser }).user }; // payload of createToken
        })
        .onBeforeHandle(({ user, status }) =>
          user.roles.includes(requiredRole) ? undefined : status(403),
        )
        .get("/loans", ({ user }) => ({ by: user.id }));
      break;
    case "error":
      app.get("/", () => {
        throw new Error(failure);
      });
      app.onError(({ status }) => status(500, "Internal Server Error")); // by default it exposes the message
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        app.route(method, pattern, ({ params }) => {
          const values: Record<string, string> = params;
          return tableAnswer(
            index,
            names.map((name) => values[name] ?? ""),
          );
        });
      }
  }
  return app.compile() as unknown as ServingElysia; // its type differs with each branch above
}

export const elysia: Subject = {
  name: "Elysia",
  create: (input) => createElysia(input).fetch,
};
