import { Hono } from "hono";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

export const create: CreateStartApp = (routes) => {
  const app = new Hono();
  for (const [index, { pattern, names }] of routes.entries()) {
    app.get(pattern, (c) => {
      const values = names.map((name) => c.req.param(name) ?? "");
      return c.text(tableAnswer(index, values));
    });
  }
  return askThrough((request) => app.fetch(request));
};
