import type { Claims } from "../auth/claims.ts";
import { setTestIdentity } from "../auth/test-identity.ts";
import type { Env, User } from "../register.ts";
import { CookieJar } from "./cookie-jar.ts";
import { bodyOf, type TestRequestOptions, targetOf } from "./test-request.ts";
import { TestResponse } from "./test-response.ts";

/** What a test client asks: an application, or the worker of one. */
export interface TestTarget {
  /** Answers a request. */
  fetch(request: Request, env?: never): Promise<Response>;
}

/** Options of `createTestClient`. */
export interface TestClientOptions {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bindings and variables, where the application reads `ctx.env`. */
  readonly env?: Env;
  /** Where paths begin; default `http://localhost`. */
  readonly baseUrl?: string;
}

interface ClientState extends TestClientOptions {
  readonly acting?: { readonly user: User; readonly claims: Claims };
  readonly cookies: CookieJar;
}

/** Asks an application in this process, as one browser would: cookies are kept between requests. */
export class TestClient {
  readonly #target: TestTarget;
  readonly #state: ClientState;

  /** @internal */
  constructor(target: TestTarget, state: ClientState) {
    this.#target = target;
    this.#state = state;
  }

  /** The cookies so far. */
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

  /** A request of any method; the body of the response has been read when this resolves. */
  async request<const Path extends string>(
    method: string,
    path: Path,
    options?: TestRequestOptions<Path>,
  ): Promise<TestResponse> {
    const given: TestRequestOptions = options ?? {};
    const target = targetOf(path, given);
    const response = await this.#send(method, target, given);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return new TestResponse({ method, target, response, bytes });
  }

  /**
   * The response as it is, its body unread: for streams that a test reads piece by piece, and leaves by
   * `response.body?.cancel()`.
   */
  stream<const Path extends string>(
    path: Path,
    options?: TestRequestOptions<Path> & { readonly method?: string },
  ): Promise<Response> {
    const given: TestRequestOptions = options ?? {};
    return this.#send(options?.method ?? "GET", targetOf(path, given), given);
  }

  /**
   * A client whose requests pass the package's authentication middleware as this user, without
   * credentials. It begins without cookies: somebody else is another browser.
   *
   * Only requests made in this process can do that; nothing that is sent over a network can.
   *
   * @param claims what the middleware for tokens puts into `ctx.state.claims`
   */
  actingAs(user: User, claims: Claims = {}): TestClient {
    const cookies = new CookieJar();
    return new TestClient(this.#target, { ...this.#state, acting: { user, claims }, cookies });
  }

  /** A client that sends `Authorization: Bearer <token>`, with the same cookies. */
  withToken(token: string): TestClient {
    return this.withHeaders({ authorization: `Bearer ${token}` });
  }

  /** A client that sends further headers, with the same cookies. */
  withHeaders(headers: Readonly<Record<string, string>>): TestClient {
    const all = { ...this.#state.headers, ...headers };
    return new TestClient(this.#target, { ...this.#state, headers: all });
  }

  async #send(method: string, target: string, options: TestRequestOptions): Promise<Response> {
    const { cookies, acting, env, baseUrl = "http://localhost" } = this.#state;
    const { body, type } = bodyOf(method, options);
    // Behind the host as it is: resolved against one, `//a` would be the host a.
    const url = target.startsWith("/") ? `${baseUrl}${target}` : new URL(target, baseUrl).href;
    const { pathname } = new URL(url);
    const headers = new Headers({
      ...(type === undefined ? {} : { "content-type": type }),
      ...this.#state.headers,
      ...options.headers,
    });
    const cookie = cookies.header(pathname);
    if (cookie !== undefined && !headers.has("cookie")) headers.set("cookie", cookie);
    // A stream is sent while it is read, which Node wants to be told.
    const duplex = body instanceof ReadableStream ? { duplex: "half" } : {};
    const request = new Request(url, { method, headers, body, ...duplex });
    if (acting !== undefined) setTestIdentity(request, acting);
    // The target knows what its env is; the client hands on what it was given.
    const response = await this.#target.fetch(request, env as never);
    cookies.receive(response.headers, pathname);
    return response;
  }
}

/**
 * A client for tests of an application, without a server and without a network.
 *
 * ```ts
 * const client = createTestClient(app);
 * const response = await client.post("/books", { json: { title: "Emma" } });
 * response.assertStatus(201).assertJson({ data: { title: "Emma" } });
 *
 * await client.actingAs({ id: "7" }).get("/me").then((me) => me.assertOk());
 * ```
 *
 * @param target an application, or anything with its `fetch`, such as `app.worker()`
 */
export function createTestClient(target: TestTarget, options: TestClientOptions = {}): TestClient {
  return new TestClient(target, { ...options, cookies: new CookieJar() });
}
