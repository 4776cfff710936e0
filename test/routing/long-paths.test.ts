import { describe, expect, test } from "vitest";
import { createReferenceMatcher } from "../../src/routing/reference-matcher.ts";
import type { RouteMatcher } from "../../src/routing/route-match.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { wasmMatcher } from "../support/wasm-matcher.ts";

const matchers: Record<string, () => RouteMatcher> = {
  compiled: wasmMatcher,
  reference: () => createReferenceMatcher({ ignoreTrailingSlash: false }),
};

const patterns = [
  "/files/*path",
  "/v/:id",
  "/digits/:id(\\d+)",
  "/mixed/:a-:b.:c",
  "/:a?/:b?/:c?/end",
  "/a/:x/b/:y/c",
];

/** A path of 16 KiB, and one of 1 KiB, of the same shape. */
const shapes: Record<string, (bytes: number) => string> = {
  "many segments": (bytes) => `/files${"/a".repeat((bytes - 6) / 2)}`,
  "a long value": (bytes) => `/v/${"x".repeat(bytes - 3)}`,
  "an escaped value": (bytes) => `/v/${"%41".repeat((bytes - 3) / 3)}`,
  "a value with a constraint, and slashes": (bytes) =>
    `/digits/${"1".repeat(1_000)}${"/".repeat(bytes - 1_008)}`,
  "hyphens and dots in a mixed segment": (bytes) => `/mixed/${"-.".repeat((bytes - 7) / 2)}`,
  "slashes alone": (bytes) => "/".repeat(bytes),
};

/** The time grows at most with the length to the power of 1.1; half as much again for the noise of the measurement. */
const mostGrowth = 1.5 * 16 ** 1.1;

function createMatcher(name: string): RouteMatcher {
  const matcher = (matchers[name] as () => RouteMatcher)();
  for (const pattern of patterns) matcher.insert("GET", pattern);
  return matcher;
}

describe.each(Object.keys(matchers))("the %s matcher", (name) => {
  test.each(Object.keys(shapes))(
    "takes time in proportion to the length of a path of %s",
    async (shape) => {
      const one = createMatcher(name);
      const pathOf = shapes[shape] as (bytes: number) => string;
      const urls = [16_384, 1024].map((bytes) => `http://localhost${pathOf(bytes)}`);
      const [long, short] = urls.map((url) => () => one.find("GET", url).status);
      const ratio = await costRatio(
        () => long?.(),
        () => short?.(),
        7,
      );
      expect(ratio).toBeLessThan(mostGrowth);
    },
  );
});

test.each(Object.keys(shapes))(
  "the compiled matcher takes less than 1 ms for 16 KiB of %s",
  (shape) => {
    const one = createMatcher("compiled");
    const url = `http://localhost${shapes[shape]?.(16_384)}`;
    expect(leastProcessorMs(() => one.find("GET", url).status)).toBeLessThan(1);
  },
);

/** Returns the least processor time of a call, in milliseconds, of several series. */
function leastProcessorMs(call: () => unknown): number {
  const calls = 50;
  let least = Number.POSITIVE_INFINITY;
  for (let series = 0; series < 10; series += 1) {
    const before = process.cpuUsage();
    for (let done = 0; done < calls; done += 1) call();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000 / calls);
  }
  return least;
}
