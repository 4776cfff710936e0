import type { Answer } from "./case.ts";
import { findKnownDifference } from "./known-differences.ts";
import type { PlatformName } from "./platforms.ts";

export type Aspect = "status" | "headers" | "body";

/** Result of a case on a platform. */
export interface Verdict {
  /** `stale`: listed as a known difference, but no longer different. */
  readonly kind: "same" | "known" | "different" | "stale";
  readonly differences: readonly string[];
}

/** Compares the responses of a platform with the recorded ones. */
export function judge(
  platform: PlatformName,
  title: string,
  expected: readonly Answer[],
  actual: readonly Answer[],
): Verdict {
  const aspects = new Set<Aspect>();
  const differences: string[] = [];
  for (const [index, answer] of actual.entries()) {
    const wanted = expected[index];
    for (const aspect of ["status", "headers", "body"] as const) {
      const [want, got] = [JSON.stringify(wanted?.[aspect]), JSON.stringify(answer[aspect])];
      if (want === got) continue;
      aspects.add(aspect);
      const place = actual.length === 1 ? aspect : `${aspect} of answer ${index + 1}`;
      differences.push(`${place}: ${got}\n      recorded: ${want}`);
    }
  }
  const known = findKnownDifference(platform, title);
  if (differences.length === 0)
    return { kind: known === undefined ? "same" : "stale", differences };
  const isKnown = known !== undefined && [...aspects].every((one) => known.aspects.includes(one));
  return { kind: isKnown ? "known" : "different", differences };
}
