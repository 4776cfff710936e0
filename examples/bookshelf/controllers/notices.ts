import { Controller, type RequestContext, success } from "espalier";
import type { Notices } from "../repositories/notices.ts";
import { byUuid } from "../rules.ts";

/** Enqueues the notices that are due, without waiting for the morning's schedule. */
export async function sendNotices(ctx: RequestContext): Promise<Response> {
  const count = await ctx.resolve("notifier").enqueueDue(ctx.app.getQueue());
  return success({ enqueued: count }, 202);
}

/** Lists the notices sent to a member. */
export class ListNotices extends Controller.for({ params: byUuid }) {
  static readonly inject = ["notices"];
  readonly #notices: Notices;

  constructor(notices: Notices) {
    super();
    this.#notices = notices;
  }

  async handle(): Promise<Response> {
    return this.success(await Array.fromAsync(this.#notices.ofMember(this.params.id)));
  }
}
