/** The applications that every framework is written in, by the names that `--app` takes. */
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

/** One request, and what every framework has to answer. Plain data: it crosses into a worker. */
export interface Exchange {
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The request's body; undefined for none. */
  readonly body: string | undefined;
  readonly expected: {
    /** The statuses that are right: frameworks differ in what they call a failed validation. */
    readonly statuses: readonly number[];
    /** The whole body; undefined where a framework words it itself, as for a 404. */
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

/** One application with its data: what to build, what to time, and what to check besides. */
export interface ApplicationCase {
  readonly application: ApplicationName;
  /** The routes of `routes-300`; the other applications have theirs in their code. */
  readonly routes: readonly TableRoute[];
  /** Requests that a timed loop sends in turn. */
  readonly timed: readonly Exchange[];
  /** Requests that are only checked: what validation and guards have to refuse. */
  readonly checked: readonly Exchange[];
}

/** What the greeting and the error say, in every framework. */
export const greeting = "Hello, world!";
export const failure = "The shelf is broken.";

/** The secret that signs the tokens, and the role that the policy asks for. */
export const tokenSecret = "a-secret-of-the-benchmark-with-more-than-32-bytes";
export const requiredRole = "librarian";

/** The headers that the ten middleware set. */
export const tenHeaders: readonly string[] = Array.from({ length: 10 }, (_, i) => `x-layer-${i}`);

/** What a route of the table answers: which one it is, and its parameters. */
export function tableAnswer(index: number, values: readonly string[]): string {
  return `${index}:${values.join(",")}`;
}
