import { DurableObjectRateLimitStore } from "espalier/cloudflare";
import { createLinkShortener } from "./app.ts";
import { Links } from "./links.ts";

export { RateLimitDurableObject } from "espalier/cloudflare";

const app = createLinkShortener({}, new DurableObjectRateLimitStore());
app.scoped("links", ({ resolve }) => new Links(resolve("env").KV, resolve("clock")));

export default app.worker();
