import { Controller, type RequestContext } from "espalier";
import type { Lending } from "../services/lending.ts";
import { loanView } from "../views.ts";

/**
 * Returns a book. A controller without `Controller.for`: services are arguments of the constructor, rules are in
 * `schema`, and validated data has no inferred types.
 */
export class ReturnBook extends Controller {
  static readonly inject = ["lending"];
  protected override readonly schema = {
    id: { type: "uuid", required: true },
    condition: { type: "string", enum: ["good", "worn", "damaged"] },
  };
  readonly #lending: Lending;

  constructor(lending: Lending) {
    super();
    this.#lending = lending;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    // Validated against `schema`.
    const { id, condition } = ctx.validated as { id: string; condition?: string };
    const loan = await this.#lending.takeBack(id, condition);
    await this.app.emit("loan.closed", loan);
    return this.success(loanView(this.app.getRouter(), loan));
  }
}
