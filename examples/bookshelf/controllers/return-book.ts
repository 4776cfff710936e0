import { Controller, type RequestContext } from "espalier";
import type { Lending } from "../services/lending.ts";
import { loanView } from "../views.ts";

/**
 * Takes a book back.
 *
 * It declares its rules as a plain field, where other controllers here use `Controller.for`: the
 * same checks, but what they let through has no types of its own.
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
    // The fields of `schema`, which have passed their rules by now.
    const { id, condition } = ctx.validated as { id: string; condition?: string };
    const loan = await this.#lending.takeBack(id, condition);
    await this.app.emit("loan.closed", loan);
    return this.success(loanView(this.app.getRouter(), loan));
  }
}
