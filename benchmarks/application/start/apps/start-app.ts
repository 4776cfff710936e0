import type { TableRoute } from "../../applications.ts";

/** Asks an application for a path with GET; gives the body of its answer. */
export type Ask = (url: string) => Promise<string>;

/** What each file of this folder exports: an application with a table of GET routes, and no more. */
export type CreateStartApp = (routes: readonly TableRoute[]) => Ask | Promise<Ask>;

/** For the frameworks whose applications have a `fetch`. */
export function askThrough(fetch: (request: Request) => Response | Promise<Response>): Ask {
  return async (url) => (await fetch(new Request(url))).text();
}
