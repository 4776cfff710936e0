import { Application, text } from "espalier/core";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

export const create: CreateStartApp = (routes) => {
  const app = new Application();
  const router = app.getRouter();
  for (const [index, { pattern, names }] of routes.entries()) {
    router.get(pattern, (ctx) => {
      const params: Record<string, string | undefined> = ctx.params;
      const values = names.map((name) => params[name] ?? "");
      return text(tableAnswer(index, values));
    });
  }
  return askThrough(app.fetch);
};
