import { AutoRouter } from "itty-router";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

export const create: CreateStartApp = (routes) => {
  const router = AutoRouter();
  for (const [index, { pattern, names }] of routes.entries()) {
    router.get(pattern, ({ params }) => {
      const values = names.map((name) => decodeURIComponent(params[name] ?? ""));
      return new Response(tableAnswer(index, values));
    });
  }
  return askThrough((request) => router.fetch(request));
};
