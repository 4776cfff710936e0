import { Controller, type RequestContext, success } from "espalier";
import type { Notices } from "../repositories/notices.ts";
import { byUuid } from "../rules.ts";

/** Sends what is due now and not only in the morning; the queue does it after the answer. */
export async function sendNotices(ctx: RequestContext): Promise<Response> {
  const count = await ctx.resolve("notifier").enqueueDue(ctx.app.getQueue());
  return success({ enqueued: count }, 202);
}

/** What a member was sent. */
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
