import { getRouterParam, H3 } from "h3";
import { tableAnswer } from "../../applications.ts";
import { askThrough, type CreateStartApp } from "./start-app.ts";

export const create: CreateStartApp = (routes) => {
  const app = new H3();
  for (const [index, { pattern, names }] of routes.entries()) {
    app.get(pattern, (event) => {
      const values = names.map((name) => getRouterParam(event, name, { decode: true }) ?? "");
      return tableAnswer(index, values);
    });
  }
  return askThrough((request) => app.fetch(request));
};
