import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AppFactory } from "@adonisjs/application/factories";
import { defineConfig, type HttpContext } from "@adonisjs/http-server";
import { ServerFactory } from "@adonisjs/http-server/factories";
import { failure, greeting, tableAnswer, tenHeaders } from "../../applications.ts";
import { hostname, type Listen } from "./listen.ts";

/**
 * AdonisJS's HTTP server alone, created by the package's factory. Bodies, validation and
 * authentication are other packages of Adonis, which require a complete application.
 */
export const listen: Listen = async ({ application, routes }) => {
  const app = new AppFactory().create(new URL("./", import.meta.url));
  await app.init();
  const server = new ServerFactory().merge({ app, config: defineConfig({}) }).create();
  const router = server.getRouter();
  switch (application) {
    case "hello":
    case "not-found":
      router.get("/", () => greeting);
      break;
    case "parameter":
      router.get("/users/:id", ({ params, request }: HttpContext) => ({
        id: params["id"],
        page: request.input("page") ?? request.qs()["page"],
      }));
      break;
    case "ten-middleware":
      server.use(
        tenHeaders.map((name, i) => async () => ({ default: createHeaderMiddleware(name, i) })),
      );
      router.get("/", () => greeting);
      break;
    case "error":
      router.get("/", () => {
        throw new Error(failure);
      });
      break;
    case "routes-300":
      for (const [index, { method, pattern, names }] of routes.entries()) {
        router.route(pattern, [method], ({ params }: HttpContext) =>
          tableAnswer(
            index,
            names.map((name) => params[name] ?? ""),
          ),
        );
      }
      break;
    default:
      throw new Error(`AdonisJS's server does not implement ${application}.`);
  }
  await server.boot();
  const node = createServer(server.handle.bind(server));
  await new Promise<void>((resolve) => node.listen(0, hostname, resolve));
  return (node.address() as AddressInfo).port; // over TCP
};

function createHeaderMiddleware(
  name: string,
  index: number,
): new () => { handle(context: HttpContext, next: () => Promise<void>): Promise<void> } {
  return class {
    async handle({ response }: HttpContext, next: () => Promise<void>): Promise<void> {
      await next();
      response.header(name, String(index));
    }
  };
}
