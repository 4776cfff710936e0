import type { ApplicationCase } from "../applications.ts";

/** The `fetch` handler of a framework. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** A framework that handles a `Request` without a server. */
export interface Subject {
  readonly name: string;
  /** True if it returns the same response for every request; default: false. */
  readonly isFixed?: boolean;
  /** Builds an application as in the framework's guide. */
  create(input: ApplicationCase): Handler;
}

/** Name of the subject that is no framework, but creates the response of Espalier. */
export const responseAloneName = "its response alone";
