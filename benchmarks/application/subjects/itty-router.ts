import { AutoRouter, type IRequest, json, StatusError } from "itty-router";
import {
  type ApplicationCase,
  failure,
  greeting,
  requiredRole,
  tableAnswer,
  tenHeaders,
} from "../applications.ts";
import { book } from "./book-schema.ts";
import type { Handler, Subject } from "./subject.ts";
import { verifyBearer } from "./verify-bearer.ts";

/** itty-router's AutoRouter, with Zod and jose; handlers decode parameters, since the router does not. */
function create({ application, routes }: ApplicationCase): Handler {
  const router = AutoRouter({
    finally:
      application === "ten-middleware"
        ? tenHeaders.map((name, i) => (response: Response) => {
            response.headers.set(name, String(i));
          })
        : [],
  });
  switch (application) {
    case "hello":
    case "not-found":
    case "ten-middleware":
      router.get("/", () => new Response(greeting));
      break;
    case "parameter":
      router.get("/users/:id", ({ params, query }) => ({
        id: decodeURIComponent(params["id"] ?? ""),
        page: query["page"],
      }));
      break;
    case "echo":
      router.post("/books", async (request) => {
        const result = book.safeParse(await request.json());
        if (!result.success) throw new StatusError(400, { issues: result.error.issues });
        return result.data;
      });
      break;
    case "auth":
      router.get("/loans", authenticate, authorize, ({ user }) => ({ by: user.id }));
      break;
    case "error":
      router.get("/", () => {
        throw new Error(failure);
      });
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        router[method.toLowerCase()]?.(pattern, ({ params }: IRequest) => {
          const values = names.map((name) => decodeURIComponent(params[name] ?? ""));
          return new Response(tableAnswer(index, values));
        });
      }
  }
  return (request) => router.fetch(request);
}

async function authenticate(request: IRequest): Promise<Response | undefined> {
  request["user"] = await verifyBearer(request.headers.get("authorization"));
  return request["user"] === undefined
    ? json({ error: "Unauthorized" }, { status: 401 })
    : undefined;
}

function authorize({ user }: IRequest): Response | undefined {
  if (user.roles.includes(requiredRole)) return undefined;
  return json({ error: "Forbidden" }, { status: 403 });
}

export const ittyRouter: Subject = { name: "itty-router", create };
