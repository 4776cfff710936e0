import { Application, json } from "espalier/core";

const ray = { "cf-ray": "230b030023ae2822-SJC" };

/** The first requests of three applications. */
const firstRequests: Readonly<Record<string, RequestInit & { readonly cf?: object }>> = {
  edge: { headers: ray, cf: {} },
  miniflare: { cf: {} },
  client: { headers: ray },
};

/** Responds with the status of an invalid Host header, by the source of the application's first request. */
export default {
  async fetch(): Promise<Response> {
    const statuses: Record<string, number> = {};
    for (const [source, init] of Object.entries(firstRequests)) {
      const app = new Application();
      app.getRouter().get("/*", () => json(null));
      await app.fetch(new Request("http://h/", init));
      const request = new Request("http://h/", { headers: { host: "a/b" } });
      statuses[source] = (await app.fetch(request)).status;
    }
    return json(statuses);
  },
};
