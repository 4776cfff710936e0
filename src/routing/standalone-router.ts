import type { NoSurroundings, Surroundings } from "./handler-context.ts";
import type { NoParams } from "./path-types.ts";
import { Router, type RouterOptions } from "./router.ts";
import { createUrlBuilder } from "./url.ts";

/**
 * A router without an application.
 *
 * @example
 * const router = new Router();
 * router.get("/books/:id", (ctx) => json({ id: ctx.params.id }), { name: "books.show" });
 * router.url("books.show", { id: 7 });
 */
export class StandaloneRouter<
  Params extends object = NoParams,
  Around extends Surroundings = NoSurroundings,
> extends Router<Params, Around> {
  constructor(options: RouterOptions = {}) {
    super(options, { createUrlBuilder });
  }
}
