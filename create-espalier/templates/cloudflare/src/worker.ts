// @if auth
import { DurableObjectRateLimitStore } from "espalier/cloudflare";
// @end
import { createApp } from "./app.ts";
// @if auth
import { limitSignIns } from "./auth.ts";

export { RateLimitDurableObject } from "espalier/cloudflare";

// @end

const app = createApp();
// @if auth
// Exact in all locations. The tests, which have no bindings, count in memory.
limitSignIns(app, new DurableObjectRateLimitStore());
// @end

export default app.worker();
