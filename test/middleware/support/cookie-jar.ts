import type { Application } from "espalier";

/** A browser as far as its cookies go: what a response sets, the next request sends. */
export class CookieJar {
  readonly cookies: Map<string, string> = new Map();
  readonly #app: Application;

  constructor(app: Application) {
    this.#app = app;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) {
      headers.set(
        "cookie",
        [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      );
    }
    const response = await this.#app.request(path, { ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/Max-Age=0/.test(text)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
