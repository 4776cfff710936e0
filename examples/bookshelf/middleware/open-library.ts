import type { MiddlewareObject, Next, RequestContext } from "espalier";
import { seed } from "../seed.ts";

/** Fills the library when it is new, before the first request is answered. */
export class OpenLibraryMiddleware implements MiddlewareObject {
  // Asked once in each process, and not for every request.
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
