import type { ApplicationCase } from "../applications.ts";

/** What a framework gives every platform to call. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** A framework that answers a `Request` with a `Response` by itself, without a server. */
export interface Subject {
  readonly name: string;
  /** Whether it gives one answer, whatever it is asked; false when absent. */
  readonly isFixed?: boolean;
  /** Builds an application the way the framework's own guide writes it. */
  create(input: ApplicationCase): Handler;
}
