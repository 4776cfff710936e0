import { ValidationError } from "../http/http-error.ts";
import type { ValidationInput } from "./sources.ts";
import type { ValidationResult } from "./validation-run.ts";

/** The sources of a request, such as its context, which is passed to `custom`. */
type RequestSources = Omit<ValidationInput, "bodyKind" | "context">;

/** A request whose validated values are set. */
export interface CheckedRequest extends RequestSources {
  validated: unknown;
}

/** A check of the rules of a route. */
export interface RequestCheck {
  /**
   * Checks a request, and sets its validated values.
   *
   * @returns undefined when done synchronously, a promise when a rule is asynchronous
   * @throws ValidationError 422 with every failing field
   */
  checkRequest(
    request: CheckedRequest,
    bodyKind: ValidationInput["bodyKind"],
  ): Promise<void> | undefined;
}

/**
 * Adapts a request to validation; a source is read only when a rule needs it.
 *
 * A class, because engines keep the shape of an object literal with getters, and through it the request,
 * until the next full garbage collection.
 */
export class RequestInput implements ValidationInput {
  readonly context: RequestSources;
  readonly bodyKind: ValidationInput["bodyKind"];

  /** Keeps the shape of the instances: see {@link RequestContext.internalSample}. */
  static readonly sample: object = /* @__PURE__ */ new RequestInput({} as RequestSources, "none");

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

/**
 * Sets the validated values of a request.
 *
 * @throws ValidationError 422 with every failing field
 */
export function settleRequest(
  result: ValidationResult | Promise<ValidationResult>,
  request: CheckedRequest,
): Promise<void> | undefined {
  if (result instanceof Promise) return result.then((settled) => settleRequest(settled, request));
  if (!result.ok) throw new ValidationError(result.errors);
  request.validated = result.value;
  return undefined;
}
