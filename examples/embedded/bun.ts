import { app } from "./app.ts";

/** What is used of Bun's own types, which the package `@types/bun` has. */
declare const Bun: {
  serve(options: {
    hostname: string;
    fetch(request: Request, server: unknown): Promise<Response>;
  }): { readonly url: URL };
};

const { url } = Bun.serve({ hostname: "localhost", fetch: app.fetch });
console.log(`Listening on ${url}`);
