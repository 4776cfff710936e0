import type { RequestContext } from "espalier";

/** A request as the server has seen it; header values that are absent are null. */
export interface RequestRecord {
  readonly method: string;
  readonly isPreflight: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests with the query parameter `token`, and closed event streams, by that token. */
export class Records {
  readonly #requests = new Map<string, RequestRecord[]>();
  readonly #closed = new Map<string, number>();

  add(ctx: RequestContext): void {
    const token = ctx.query["token"];
    if (token === undefined || ctx.url.pathname.endsWith("/log")) return;
    const { headers, method } = ctx;
    const isPreflight = method === "OPTIONS" && headers.has("access-control-request-method");
    const record = { method, isPreflight, headers: Object.fromEntries(headers) };
    this.#requests.set(token, [...this.requestsOf(token), record]);
  }

  addClosed(token: string): void {
    this.#closed.set(token, this.closedOf(token) + 1);
  }

  requestsOf(token: string): readonly RequestRecord[] {
    return this.#requests.get(token) ?? [];
  }

  closedOf(token: string): number {
    return this.#closed.get(token) ?? 0;
  }
}
