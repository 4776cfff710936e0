import { Elysia } from "elysia";
import { CloudflareAdapter } from "elysia/adapter/cloudflare-worker";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

/** Elysia in workerd, without its compiler: requests cannot compile code there. */
export const create: CreateStartApp = (routes) => {
  const app = new Elysia({ adapter: CloudflareAdapter, aot: false });
  for (const [index, { pattern, names }] of routes.entries()) {
    app.get(pattern, ({ params }) => {
      const values: Record<string, string> = params;
      return tableAnswer(
        index,
        names.map((name) => values[name] ?? ""),
      );
    });
  }
  return askThrough((request) => app.fetch(request));
};
