import { Elysia } from "elysia";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

export const create: CreateStartApp = (routes) => {
  const app = new Elysia();
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
