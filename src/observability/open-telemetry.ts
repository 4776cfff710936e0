/*
 * Structural types for the parts of `@opentelemetry/api` in use: the package is optional, so the
 * published declarations must not import it.
 */

/** A span that is being recorded. */
export interface Span {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttribute(key: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: Error): void;
  end(): void;
}

/** The module `@opentelemetry/api`. */
export interface OpenTelemetryApi {
  /** Makes spans and finds them in a context. */
  readonly trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: Record<string, string | number> },
        context: unknown,
      ): Span;
    };
    getSpan(context: unknown): unknown;
    setSpan(context: unknown, span: Span): unknown;
  };
  /** The context that is current, and work inside of another. */
  readonly context: {
    active(): unknown;
    with<Result>(context: unknown, run: () => Result): Result;
  };
  /** Reads a caller's context from headers. */
  readonly propagation: {
    extract(context: unknown, carrier: Headers, getter: HeaderGetter): unknown;
  };
}

/** How the API reads headers. */
export interface HeaderGetter {
  keys(headers: Headers): string[];
  get(headers: Headers, name: string): string | undefined;
}

/** `SpanKind.SERVER` and `SpanStatusCode.ERROR`: numbers that are part of the API's contract. */
export const serverSpan = 1;
export const errorStatus = 2;

/** Reads headers for the API's propagators. */
export const headerGetter: HeaderGetter = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
};

/** Returns true if a value has the parts of the API in use. */
export function isOpenTelemetry(value: unknown): value is OpenTelemetryApi {
  if (typeof value !== "object" || value === null) return false;
  const parts = ["trace", "context", "propagation"];
  return parts.every((part) => typeof Reflect.get(value, part) === "object");
}
