import { afterEach, beforeEach, describe, it, vi } from "vitest";
import type { RequestContext } from "../../src/http/context.ts";
import { DurableObjectRateLimitStore } from "../../src/platform/cloudflare/durable-object-rate-limit-store.ts";
import { RateLimitDurableObject } from "../../src/platform/cloudflare/rate-limit-durable-object.ts";
import { MemoryRateLimitStore } from "../../src/rate-limit/memory-rate-limit-store.ts";
import { rateLimitStoreSuite } from "../../src/testing/rate-limit-store-suite.ts";
import { createNamespace } from "../platform/cloudflare/support/object-state.ts";

let now = Date.UTC(2026, 0, 1);
const memory = new MemoryRateLimitStore({ now: () => now });
rateLimitStoreSuite({
  name: "memory",
  describe,
  it,
  createStore: () => memory,
  wait: (ms) => {
    now += ms;
  },
});

describe("with a clock of the test", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  const { namespace } = createNamespace(RateLimitDurableObject);
  rateLimitStoreSuite({
    name: "Durable Object",
    describe,
    it,
    createStore: () => new DurableObjectRateLimitStore(),
    // The store reads nothing else of the context.
    context: { env: { RATE_LIMIT: namespace } } as unknown as RequestContext,
    wait: (ms) => void vi.setSystemTime(Date.now() + ms),
  });
});
