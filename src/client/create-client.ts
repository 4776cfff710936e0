import createFetchClient, {
  type FetchOptions,
  type FetchResponse,
  type Middleware,
  type ParseAs,
} from "openapi-fetch";
import { readProblem } from "./problem-error.ts";

/** What a client is made with. */
export interface ClientOptions {
  /** Where the application is: `https://api.example.org`. */
  readonly baseUrl: string;
  /** Sends requests; default the global `fetch`. `app.fetch` calls an application in this process. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * Sent as `Authorization: Bearer`, where a call sends no `authorization` of its own; a function is asked
   * before each call, and undefined sends none.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether cookies go along; default as `fetch` does it: to the same origin alone. */
  readonly credentials?: "omit" | "same-origin" | "include";
}

/** The paths that have an operation for a method. */
type PathsOf<Paths extends object, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths];

type OperationOf<PathItem, Method extends string> =
  PathItem extends Record<Method, infer Operation extends Record<string | number, unknown>>
    ? Operation
    : never;

/** What a call takes beside its path: `params`, `body`, and what `fetch` takes. */
type CallArguments<Operation, As extends ParseAs> =
  Record<never, never> extends FetchOptions<Operation>
    ? [options?: FetchOptions<Operation> & { readonly parseAs?: As }]
    : [options: FetchOptions<Operation> & { readonly parseAs?: As }];

/** The body of a success as the description has it; undefined where there is none. */
type DescribedData<
  Operation extends Record<string | number, unknown>,
  As extends ParseAs,
> = Extract<
  FetchResponse<Operation, { parseAs: As }, `${string}/${string}`>,
  { readonly data: unknown }
>["data"];

/** A success that is described without its body may well have one; only 204 and its like have none. */
type Data<Operation extends Record<string | number, unknown>, As extends ParseAs> = [
  DescribedData<Operation, As>,
] extends [undefined]
  ? Operation extends { responses: Readonly<Record<200, unknown>> | Readonly<Record<201, unknown>> }
    ? unknown
    : undefined
  : DescribedData<Operation, As>;

/** What a call resolves with: every other answer is a thrown `ProblemError`. */
interface Answer<Operation extends Record<string | number, unknown>, As extends ParseAs> {
  readonly data: Data<Operation, As>;
  readonly response: Response;
}

/** A call of one method. */
type Call<Paths extends object, Method extends string> = <
  Path extends PathsOf<Paths, Method>,
  As extends ParseAs = "json",
>(
  path: Path,
  ...options: CallArguments<OperationOf<Paths[Path], Method>, As>
) => Promise<Answer<OperationOf<Paths[Path], Method>, As>>;

/**
 * Calls an application by the types of its OpenAPI description. Each method resolves with `data` and the
 * `response`, and rejects with a `ProblemError` for every status that is no success.
 */
export interface Client<Paths extends object> {
  /** Calls the `GET` operation of a path. */
  readonly GET: Call<Paths, "get">;
  /** Calls the `POST` operation of a path. */
  readonly POST: Call<Paths, "post">;
  /** Calls the `PUT` operation of a path. */
  readonly PUT: Call<Paths, "put">;
  /** Calls the `PATCH` operation of a path. */
  readonly PATCH: Call<Paths, "patch">;
  /** Calls the `DELETE` operation of a path. */
  readonly DELETE: Call<Paths, "delete">;
  /** Calls the `HEAD` operation of a path. */
  readonly HEAD: Call<Paths, "head">;
  /** Calls the `OPTIONS` operation of a path. */
  readonly OPTIONS: Call<Paths, "options">;
  /** Adds middleware of openapi-fetch. */
  use(...middleware: Middleware[]): void;
}

/**
 * Makes a client of the types that `espalier openapi --client api.ts` writes. Needs the package
 * `openapi-fetch`.
 *
 * ```ts
 * const client = createClient<paths>({ baseUrl: "https://api.example.org", token: () => session.token });
 * const { data } = await client.GET("/books/{id}", { params: { path: { id: "7" } } });
 * ```
 *
 * @typeParam Paths the interface `paths` of that file
 */
export function createClient<Paths extends object>(options: ClientOptions): Client<Paths> {
  const { baseUrl, fetch: send = globalThis.fetch, token, headers, credentials } = options;
  const client = createFetchClient<Paths>({
    baseUrl,
    // One argument alone: an application's `fetch` takes the second for its environment.
    fetch: (request) => send(request),
    ...(headers === undefined ? {} : { headers }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  client.use({
    async onRequest({ request }) {
      if (token === undefined || request.headers.has("authorization")) return;
      const text = typeof token === "string" ? token : await token();
      if (text !== undefined) request.headers.set("authorization", `Bearer ${text}`);
    },
    async onResponse({ request, response, schemaPath }) {
      if (!response.ok) throw await readProblem(response, `${request.method} ${schemaPath}`);
    },
  });
  // The middleware throws what the type leaves out: every answer that is no success.
  return client as unknown as Client<Paths>;
}
