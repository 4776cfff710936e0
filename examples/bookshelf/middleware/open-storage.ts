import type { Next, RequestContext } from "espalier";
import { seed } from "../seed.ts";

/** Connects the storage to the platform's KV where there is one, and fills it when it is new. */
export async function openStorage(ctx: RequestContext, next: Next): Promise<Response> {
  const storage = ctx.resolve("storage");
  storage.connect(ctx.env.KV);
  if (!storage.isSeeded) {
    await seed(storage, ctx.resolve("calendar"));
    storage.isSeeded = true;
  }
  return next();
}
