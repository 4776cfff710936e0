import type { TableRoute } from "../../applications.ts";

/** Sends GET for a path to an application, and returns the body of the response. */
export type Ask = (url: string) => Promise<string>;

/** Export of each file of this folder: creates an application with a table of GET routes. */
export type CreateStartApp = (routes: readonly TableRoute[]) => Ask | Promise<Ask>;

/** For frameworks whose applications have a `fetch`. */
export function askThrough(fetch: (request: Request) => Response | Promise<Response>): Ask {
  return async (url) => (await fetch(new Request(url))).text();
}
