import type { KVNamespace } from "@cloudflare/workers-types";
import { expectTypeOf, it } from "vitest";
import type { KvNamespace } from "../../src/platform/cloudflare/kv-types.ts";

it("accepts the namespace type of the platform's own package", () => {
  expectTypeOf<KVNamespace>().toExtend<KvNamespace>();
});
