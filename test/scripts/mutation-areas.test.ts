import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { areas } from "../../proof/mutation/areas.ts";
import { root } from "../support/bundle.ts";

/** Returns the patterns that a pattern with alternatives in braces stands for. */
function expandBraces(glob: string): string[] {
  const [all, alternatives] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (all === undefined || alternatives === undefined) return [glob];
  return alternatives.split(",").flatMap((one) => expandBraces(glob.replace(all, one)));
}

test.each(Object.entries(areas))("the files of the mutation area %s exist", (_name, area) => {
  const { mutate, except = [], tests, exceptTests = [] } = area;
  const globs = [...mutate, ...except, ...tests, ...exceptTests].flatMap(expandBraces);
  expect(globs.length).toBeGreaterThan(0);
  expect(globs.filter((glob) => globSync(glob, { cwd: root }).length === 0)).toEqual([]);
});
