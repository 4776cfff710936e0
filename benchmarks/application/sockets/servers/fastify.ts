import type { AddressInfo } from "node:net";
import jwt from "@fastify/jwt";
import Fastify, { type FastifyInstance, type HTTPMethods } from "fastify";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
  tokenSecret,
} from "../../applications.ts";
import type { TokenUser } from "../../subjects/verify-bearer.ts";
import { hostname, type Listen } from "./listen.ts";

const bookSchema = {
  type: "object",
  required: ["title", "pages", "tags"],
  properties: {
    title: { type: "string", maxLength: 200 },
    pages: { type: "integer", minimum: 1 },
    tags: { type: "array", items: { type: "string" } },
  },
} as const;

/** Fastify with its JWT plugin, and with schemas for validation and serialisation. */
async function createFastify({ application, routes }: ApplicationCase): Promise<FastifyInstance> {
  // No type coercion, as its guide recommends for JSON APIs: the string "7" fails as an integer.
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false } } });
  switch (application) {
    case "hello":
    case "not-found":
      app.get("/", () => greeting);
      break;
    case "parameter": {
      const text = { type: "string" };
      const response = { 200: { type: "object", properties: { id: text, page: text } } };
      app.get<{ Params: { id: string }; Querystring: { page: string } }>(
        "/users/:id",
        { schema: { response } },
        async ({ params, query }) => ({ id: params.id, page: query.page }),
      );
      break;
    }
    case "echo":
      app.post(
        "/books",
        { schema: { body: bookSchema, response: { 200: bookSchema } } },
        async ({ body }) => body,
      );
      break;
    case "ten-middleware":
      for (const [i, name] of tenHeaders.entries()) {
        app.addHook("onSend", async (_request, reply) => {
          reply.header(name, String(i));
        });
      }
      app.get("/", async () => greeting);
      break;
    case "auth":
      await app.register(jwt, { secret: tokenSecret });
      app.get(
        "/loans",
        {
          onRequest: [
            async (request) => {
              await request.jwtVerify();
            },
            async (request, reply) => {
              const { user } = request.user as { readonly user: TokenUser }; // as it was signed
              if (!user.roles.includes(requiredRole)) return reply.code(403).send();
            },
          ],
        },
        async (request) => ({ by: (request.user as { readonly user: TokenUser }).user.id }),
      );
      break;
    case "error":
      app.get("/", async () => {
        throw new Error(failure);
      });
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        app.route<{ Params: Record<string, string> }>({
          method: method as HTTPMethods,
          url: pattern,
          handler: async ({ params }) =>
            tableAnswer(
              index,
              names.map((name) => params[name] ?? ""),
            ),
        });
      }
  }
  return app;
}

export const listen: Listen = async (input) => {
  const app = await createFastify(input);
  await app.listen({ port: 0, host: hostname });
  return (app.server.address() as AddressInfo).port; // over TCP
};
