import { Controller, type RequestContext, success } from "espalier";
import { byUuid } from "../rules.ts";

/** Enqueues the notices that are due, without waiting for the morning's schedule. */
export async function sendNotices(ctx: RequestContext): Promise<Response> {
  const count = await ctx.resolve("notifier").enqueueDue(ctx.app.getQueue());
  return success({ enqueued: count }, 202);
}

/** Lists the notices sent to a member. */
export class ListNotices extends Controller.for({ inject: ["notices"], params: byUuid }) {
  async handle() {
    return this.success(await Array.fromAsync(this.services.notices.ofMember(this.params.id)));
  }
}
