/** Names of the applications that each framework implements; values of `--app`. */
export const applicationNames = [
  "hello",
  "parameter",
  "echo",
  "ten-middleware",
  "auth",
  "not-found",
  "error",
  "routes-300",
] as const;

export type ApplicationName = (typeof applicationNames)[number];

/** A request and its expected response. Plain data, so that it can be sent to a worker. */
export interface Exchange {
  readonly method: string;
  /** The complete URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request's body; undefined for none. */
  readonly body: string | undefined;
  /** Facts about the request that Cloudflare's edge adds; undefined on other platforms. */
  readonly cf?: object;
  readonly expected: {
    /** Accepted statuses: frameworks differ in the status of a failed validation. */
    readonly statuses: readonly number[];
    /** The complete body; undefined if its text is up to the framework, as for a 404. */
    readonly body: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** A route of the table, with the names of its parameters in order. */
export interface TableRoute {
  readonly method: string;
  readonly pattern: string;
  readonly names: readonly string[];
}

/** An application with its routes, timed requests and checked requests. */
export interface ApplicationCase {
  readonly application: ApplicationName;
  /** The routes of `routes-300`; other applications define theirs in code. */
  readonly routes: readonly TableRoute[];
  /** Requests that the timed loop sends in turn. */
  readonly timed: readonly Exchange[];
  /** Requests that are only checked: rejected by validation or guards. */
  readonly checked: readonly Exchange[];
}

/** Texts of the greeting and of the error. */
export const greeting = "Hello, world!";
export const failure = "The shelf is broken.";

/** The secret that signs the tokens, and the role that the policy requires. */
export const tokenSecret = "a-secret-of-the-benchmark-with-more-than-32-bytes";
export const requiredRole = "librarian";

/** Headers set by the ten middleware. */
export const tenHeaders: readonly string[] = Array.from({ length: 10 }, (_, i) => `x-layer-${i}`);

/** Response body of a route of the table: its index and its parameters. */
export function tableAnswer(index: number, values: readonly string[]): string {
  return `${index}:${values.join(",")}`;
}
