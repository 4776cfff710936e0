import type { MiddlewareObject, Next, RequestContext } from "espalier";
import { seed } from "../seed.ts";

/** Seeds an empty library before the first request. */
export class SeedLibraryMiddleware implements MiddlewareObject {
  // Checked once per process rather than for every request.
  #isSeeded = false;

  async handle(ctx: RequestContext, next: Next): Promise<Response> {
    if (!this.#isSeeded) {
      const { librarianPassword } = ctx.app.getConfig("accounts");
      await seed(ctx.resolve("storage"), ctx.resolve("calendar"), librarianPassword);
      this.#isSeeded = true;
    }
    return next();
  }
}
