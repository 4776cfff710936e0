import { describe, expect, test } from "vitest";
import { benchmarks } from "../../benchmarks/benchmarks.ts";
import { proofs } from "../../proof/proofs.ts";
import type { Entry } from "../../scripts/runner/entry.ts";
import { SourceTree } from "../../scripts/runner/source-tree.ts";
import { findRequiredSources } from "../support/required-sources.ts";

const entries = [...proofs, ...benchmarks];
const tree = new SourceTree();

/** Modules of the package that the runner uses itself. */
const ofRunner = tree.list({ code: ["scripts/runner"], texts: [] });

/** Lists what the programs of an entry load and its sources lack. */
function findLacking(entry: Entry): readonly string[] {
  const counted = new Set([...tree.list(entry), ...ofRunner]);
  return findRequiredSources(entry.program, tree).filter((file) => !counted.has(file));
}

describe("the sources of an entry", () => {
  test.each(entries)("$name: are all that its programs load", (entry) => {
    expect(findLacking(entry)).toEqual([]);
  });

  test.each([
    ["hostile", "src/websocket.ts", "an entry of the package"],
    ["scale-out", "src/redis.ts", "another one"],
    ["queue-kill", "src/platform/cloudflare/kv-queue-adapter.ts", "a module of the package"],
    ["fuzz", "src/routing/constraint.ts", "a module that a helper imports"],
    ["openapi", "src/client.ts", "an entry that a generated program imports"],
    ["todo-backend", "examples/todo-backend", "an example that is started by its path"],
    ["soak", "src/websocket.ts", "an entry that the application of another proof imports"],
  ])("%s: lack something without %s, %s", (name, removed) => {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined) throw new Error(`Unknown entry "${name}".`);
    const without = (paths: readonly string[]): string[] =>
      paths.filter((path) => path !== removed);
    expect(entry.code).toContain(removed);
    const narrow = { ...entry, code: without(entry.code), texts: without(entry.texts) };
    const lacking = findLacking(narrow);
    expect(lacking.some((file) => file.startsWith(removed))).toBe(true);
  });

  test("the code of the package is a small part of `src` for a part of the package", () => {
    const count = (name: string): number =>
      tree.list(entries.find((entry) => entry.name === name) ?? { code: [], texts: [] }).length;
    expect(count("differential")).toBeLessThan(count("body-limit") / 4);
    expect(count("body-limit")).toBeLessThan(count("mutation"));
  });
});
