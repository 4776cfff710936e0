import { app } from "./app.ts";

/** The subset of Bun's types used here; the package `@types/bun` has all of them. */
declare const Bun: {
  serve(options: {
    hostname: string;
    fetch(request: Request, server: unknown): Promise<Response>;
  }): { readonly url: URL };
};

const { url } = Bun.serve({ hostname: "localhost", fetch: app.fetch });
console.log(`Listening on ${url}`);
