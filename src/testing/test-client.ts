import type { Claims } from "../auth/claims.ts";
import { setTestIdentity } from "../auth/test-identity.ts";
import type { Env, User } from "../register.ts";
import { CookieJar } from "./cookie-jar.ts";
import { bodyOf, checkRequestOptions, type TestRequestOptions, targetOf } from "./test-request.ts";
import { TestResponse } from "./test-response.ts";

/** Target of a test client: an application, or its worker. */
export interface TestTarget {
  /** Responds to a request. */
  fetch(request: Request, env?: never): Promise<Response>;
}

/** Options of `createTestClient`. */
export interface TestClientOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bindings and variables, if the application reads `ctx.env`. */
  readonly env?: Env;
  /** Base URL of paths; default `http://localhost`. */
  readonly baseUrl?: string;
}

interface ClientState extends TestClientOptions {
  readonly acting?: { readonly user: User; readonly claims: Claims };
  readonly cookies: CookieJar;
}

/** Sends requests to an application in this process, keeping cookies between requests like a browser. */
export class TestClient {
  readonly #target: TestTarget;
  readonly #state: ClientState;

  /** @internal */
  constructor(target: TestTarget, state: ClientState) {
    this.#target = target;
    this.#state = state;
  }

  /** The current cookies. */
  get cookies(): CookieJar {
    return this.#state.cookies;
  }

  /** Sends a `GET` to a path, and reads its response. */
  get<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("GET", path, options);
  }

  /** Sends a `HEAD` to a path, and reads its response. */
  head<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("HEAD", path, options);
  }

  /** Sends a `OPTIONS` to a path, and reads its response. */
  options<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("OPTIONS", path, options);
  }

  /** Sends a `POST` to a path, and reads its response. */
  post<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("POST", path, options);
  }

  /** Sends a `PUT` to a path, and reads its response. */
  put<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("PUT", path, options);
  }

  /** Sends a `PATCH` to a path, and reads its response. */
  patch<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("PATCH", path, options);
  }

  /** Sends a `DELETE` to a path, and reads its response. */
  delete<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    return this.request("DELETE", path, options);
  }

  /** Sends a request with any method; resolves when the body of the response has been read. */
  async request<const Path extends string>(
    method: string,
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    const given: TestRequestOptions = options ?? {};
    checkRequestOptions(given);
    const target = targetOf(path, given);
    const response = await this.#send(method, target, given);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return new TestResponse({ method, target, response, bytes });
  }

  /**
   * Sends a request and returns the raw response with its body unread: for streams that a test reads chunk by
   * chunk and cancels with `response.body?.cancel()`.
   */
  stream<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path> & { readonly method?: string },
  ): Promise<Response> {
    const { method = "GET", ...given }: TestRequestOptions & { readonly method?: string } =
      options ?? {};
    checkRequestOptions(given);
    return this.#send(method, targetOf(path, given), given);
  }

  /**
   * Returns a client whose requests pass the package's authentication middleware as this user, without
   * credentials. It starts without cookies, like a different browser.
   *
   * Works only for requests made in this process and cannot be forged over the network.
   *
   * @param claims value of `ctx.state.claims`, which token middleware sets
   */
  actingAs(user: User, claims: Claims = {}): TestClient {
    const cookies = new CookieJar();
    return new TestClient(this.#target, { ...this.#state, acting: { user, claims }, cookies });
  }

  /** Returns a client that sends `Authorization: Bearer <token>`, with the same cookies. */
  withToken(token: string): TestClient {
    return this.withHeaders({ authorization: `Bearer ${token}` });
  }

  /** Returns a client that sends additional headers, with the same cookies. */
  withHeaders(headers: Readonly<Record<string, string>>): TestClient {
    const all = { ...this.#state.headers, ...headers };
    return new TestClient(this.#target, { ...this.#state, headers: all });
  }

  async #send(method: string, target: string, options: TestRequestOptions): Promise<Response> {
    const { cookies, acting, env, baseUrl = "http://localhost" } = this.#state;
    const { body, type } = bodyOf(method, options);
    // Appended to the origin as it is: resolving `//a` against one would change the host to a.
    const url = target.startsWith("/") ? `${baseUrl}${target}` : new URL(target, baseUrl).href;
    const { pathname } = new URL(url);
    const headers = new Headers({
      ...(type === undefined ? {} : { "content-type": type }),
      ...this.#state.headers,
      ...options.headers,
    });
    const cookie = cookies.header(pathname);
    if (cookie !== undefined && !headers.has("cookie")) headers.set("cookie", cookie);
    // Streaming request bodies require `duplex: "half"` in Node.
    const duplex = body instanceof ReadableStream ? { duplex: "half" } : {};
    const request = new Request(url, { method, headers, body, ...duplex });
    if (acting !== undefined) setTestIdentity(request, acting);
    // UNSAFE: the type of `env` is only known to the target, so it is passed on unchecked.
    const response = await this.#target.fetch(request, env as never);
    cookies.receive(response.headers, pathname);
    return response;
  }
}

/**
 * Creates a client for testing an application without a server or network.
 *
 * ```ts
 * const client = createTestClient(app);
 * const response = await client.post("/books", { json: { title: "Emma" } });
 * response.assertStatus(201).assertJson({ data: { title: "Emma" } });
 *
 * await client.actingAs({ id: "7" }).get("/me").then((me) => me.assertOk());
 * ```
 *
 * @param target an application, or any object with a compatible `fetch`, such as `app.worker()`
 */
export function createTestClient(target: TestTarget, options: TestClientOptions = {}): TestClient {
  return new TestClient(target, { ...options, cookies: new CookieJar() });
}
