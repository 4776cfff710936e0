import type { MiddlewareObject, Next, RequestContext } from "espalier";
import { seed } from "../seed.ts";

/** Seeds an empty library before the first request. */
export class OpenLibraryMiddleware implements MiddlewareObject {
  // Checked once per process rather than for every request.
  #isOpen = false;

  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (!this.#isOpen) {
      const { librarianPassword } = ctx.app.getConfig("accounts");
      await seed(ctx.resolve("storage"), ctx.resolve("calendar"), librarianPassword);
      this.#isOpen = true;
    }
    return next();
  }
}
