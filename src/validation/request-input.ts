import type { ValidationInput } from "./sources.ts";

/** The sources of a request, such as its context, which is passed to `custom`. */
export type RequestSources = Omit<ValidationInput, "bodyKind" | "context">;

/**
 * Adapts a request to validation; a source is read only when a rule needs it.
 *
 * A class, because engines keep the shape of an object literal with getters, and through it the request,
 * until the next full garbage collection.
 */
export class RequestInput implements ValidationInput {
  readonly context: RequestSources;
  readonly bodyKind: ValidationInput["bodyKind"];

  constructor(context: RequestSources, bodyKind: ValidationInput["bodyKind"]) {
    this.context = context;
    this.bodyKind = bodyKind;
  }

  get method(): string {
    return this.context.method;
  }

  get params(): Readonly<Record<string, string>> {
    return this.context.params;
  }

  get query(): Readonly<Record<string, string>> {
    return this.context.query;
  }

  get headers(): Headers {
    return this.context.headers;
  }

  get body(): unknown {
    return this.context.body;
  }

  queries(name: string): readonly string[] {
    return this.context.queries(name);
  }
}
