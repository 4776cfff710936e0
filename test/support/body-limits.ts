import type { BodyLimits } from "../../src/http/body-limits.ts";
import { BufferBudget } from "../../src/http/buffer-budget.ts";

/** Returns the limits of the body parser with overrides. */
export function createBodyLimits(changed: Partial<BodyLimits> = {}): BodyLimits {
  return {
    limitBytes: 1024 * 1024,
    multipartLimitBytes: 20 * 1024 * 1024,
    maxFields: 1000,
    maxJsonDepth: 100,
    maxJsonNames: 500,
    multipart: {},
    budget: new BufferBudget(Number.POSITIVE_INFINITY),
    ...changed,
  };
}
