import createFetchClient, {
  type FetchOptions,
  type FetchResponse,
  type Middleware,
  type ParseAs,
} from "openapi-fetch";
import type { DefinedRoutes } from "../routing/define-routes.ts";
import { readProblem } from "./problem-error.ts";
import type { RouteClient } from "./route-client.ts";

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Base URL of the application: `https://api.example.org`. */
  readonly baseUrl: string;
  /** Sends requests; default: the global `fetch`. Pass `app.fetch` to call an in-process application. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * Bearer token, sent to the origin of `baseUrl` unless a call sets its own `authorization` header. A function is
   * called before each request; if it returns undefined, no header is sent.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Headers sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials mode of `fetch`, which controls cookies; default: same origin only. */
  readonly credentials?: "omit" | "same-origin" | "include";
}

/** The paths that have an operation of a method. */
type PathsOf<Paths extends object, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths];

type OperationOf<PathItem, Method extends string> =
  PathItem extends Record<Method, infer Operation extends Record<string | number, unknown>>
    ? Operation
    : never;

/** Bodies of an operation by media type. */
type BodiesOf<Operation> = Operation extends {
  requestBody?: { content: infer Content extends object };
}
  ? Content
  : Record<never, never>;

type Multipart = "multipart/form-data";

/** A multipart form is sent as `FormData`: the properties of the document cannot have the type `File`. */
type FormBody<Bodies> = FormData | Bodies[Exclude<keyof Bodies, Multipart>];

/** Options of a call: `params`, `body`, and options of `fetch`. */
type CallOptions<Operation> = Multipart extends keyof BodiesOf<Operation>
  ? Omit<FetchOptions<Operation>, "body"> &
      (Operation extends { requestBody: object }
        ? { body: FormBody<BodiesOf<Operation>> }
        : { body?: FormBody<BodiesOf<Operation>> })
  : FetchOptions<Operation>;

/** Arguments of a call after its path. */
type CallArguments<Operation, As extends ParseAs> =
  Record<never, never> extends CallOptions<Operation>
    ? [options?: CallOptions<Operation> & { readonly parseAs?: As }]
    : [options: CallOptions<Operation> & { readonly parseAs?: As }];

/** The body of a success as declared in the OpenAPI document; undefined if none is declared. */
type DescribedData<
  Operation extends Record<string | number, unknown>,
  As extends ParseAs,
> = Extract<
  FetchResponse<Operation, { parseAs: As }, `${string}/${string}`>,
  { readonly data: unknown }
>["data"];

/** A 200 or 201 that is declared without a body may still have one; 204 and the like never do. */
type Data<Operation extends Record<string | number, unknown>, As extends ParseAs> = [
  DescribedData<Operation, As>,
] extends [undefined]
  ? Operation extends { responses: Readonly<Record<200, unknown>> | Readonly<Record<201, unknown>> }
    ? unknown
    : undefined
  : DescribedData<Operation, As>;

/** Result of a successful call; other responses are thrown as a `ProblemError`. */
interface Answer<Operation extends Record<string | number, unknown>, As extends ParseAs> {
  readonly status: number;
  readonly data: Data<Operation, As>;
  readonly response: Response;
}

/** Calls the operations of one method. */
type Call<Paths extends object, Method extends string> = <
  Path extends PathsOf<Paths, Method>,
  As extends ParseAs = "json",
>(
  path: Path,
  ...options: CallArguments<OperationOf<Paths[Path], Method>, As>
) => Promise<Answer<OperationOf<Paths[Path], Method>, As>>;

/**
 * Typed client of an application, based on its OpenAPI document. Each method resolves to `status`, `data` and
 * `response`, and rejects with a `ProblemError` for an unsuccessful status.
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
  /** Adds openapi-fetch middleware. */
  use(...middleware: Middleware[]): void;
}

type UntypedCall = (
  path: string,
  settings?: object,
) => Promise<{ readonly data?: unknown; readonly response: Response }>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const optionNames: readonly string[] = [
  "baseUrl",
  "fetch",
  "token",
  "headers",
  "credentials",
] satisfies (keyof ClientOptions)[];

/** Checks the options without the code that servers have for it: the client is loaded by browsers. */
function checkOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `createClient: unknown option "${unknown}". Its options are ${optionNames.join(", ")}.`,
    );
  }
  const { baseUrl } = options as { readonly baseUrl: unknown };
  if (typeof baseUrl === "string") return;
  throw new TypeError(
    `The option "baseUrl" of createClient must be a string, got ${typeof baseUrl}.`,
  );
}

/**
 * Creates a client, typed by the routes of `defineRoutes`, or by the interface that `espalier openapi --client
 * api.ts` writes. Both have the same calls. Requires the package `openapi-fetch`.
 *
 * ```ts
 * const client = createClient<typeof books>({ baseUrl: "https://api.example.org", token: () => session.token });
 * const { data } = await client.GET("/books/{id}", { params: { path: { id: "7" } } });
 * ```
 *
 * @throws TypeError for an unknown option, and for a missing `baseUrl`
 * @typeParam Defined the type of defined routes, or a union of several
 */
export function createClient<Defined extends DefinedRoutes>(
  options: ClientOptions,
): RouteClient<Defined>;
/**
 * Creates a client from the types that `espalier openapi --client api.ts` writes. Requires the package
 * `openapi-fetch`.
 *
 * ```ts
 * const client = createClient<paths>({ baseUrl: "https://api.example.org", token: () => session.token });
 * const { data } = await client.GET("/books/{id}", { params: { path: { id: "7" } } });
 * ```
 *
 * @throws TypeError for an unknown option, and for a missing `baseUrl`
 * @typeParam Paths the interface `paths` of that file
 */
export function createClient<Paths extends object>(options: ClientOptions): Client<Paths>;
export function createClient(options: ClientOptions): object {
  checkOptions(options);
  const { baseUrl, fetch: send = globalThis.fetch, token, headers, credentials } = options;
  const client = createFetchClient<object>({
    baseUrl,
    // Passes one argument only: the second argument of an application's `fetch` is its environment.
    fetch: (request) => send(request),
    ...(headers === undefined ? {} : { headers }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  client.use({
    async onRequest({ request }) {
      if (token === undefined || request.headers.has("authorization")) return;
      // A call can override the base URL; the token belongs to the client's own.
      const { origin } = new URL(request.url);
      if (new URL(baseUrl, origin).origin !== origin) return;
      const text = typeof token === "string" ? token : await token();
      if (text !== undefined) request.headers.set("authorization", `Bearer ${text}`);
    },
    async onResponse({ request, response, schemaPath }) {
      if (!response.ok) throw await readProblem(response, `${request.method} ${schemaPath}`);
    },
  });
  const calls = methods.map((method) => {
    const send = client[method] as UntypedCall;
    const call = async (path: string, settings?: object): Promise<object> => {
      // The middleware throws for every unsuccessful response.
      const { data, response } = await send(path, settings);
      return { status: response.status, data, response };
    };
    return [method, call] as const;
  });
  return { ...Object.fromEntries(calls), use: client.use };
}
