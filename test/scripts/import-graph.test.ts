import { describe, expect, test } from "vitest";
import {
  createImportGraph,
  findCycles,
  readConditionalImports,
  resolveImport,
} from "../../scripts/source/import-graph.ts";
import { readSourceFiles } from "../../scripts/source/source-files.ts";

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges));

describe("cycles", () => {
  test.each([
    ["a chain has none", { a: ["b"], b: ["c"], c: [] }, []],
    ["a diamond has none", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
    ["a pair", { a: ["b"], b: ["a"] }, [["a", "b"]]],
    ["a file that imports itself", { a: ["a"], b: [] }, [["a"]]],
    [
      "two, the larger first",
      { a: ["b"], b: ["a", "c"], c: ["d"], d: ["e"], e: ["c"] },
      [
        ["c", "d", "e"],
        ["a", "b"],
      ],
    ],
    [
      "two rings that share a file are one",
      { a: ["b", "d"], b: ["c"], c: ["a"], d: ["e"], e: ["a"] },
      [["a", "b", "c", "d", "e"]],
    ],
    ["a tail is not part of a ring", { t: ["a"], a: ["b"], b: ["a", "u"], u: [] }, [["a", "b"]]],
  ])("%s", (_title, edges, expected) => {
    expect(findCycles(graph(edges))).toEqual(expected);
  });
});

describe("imports", () => {
  const conditional = readConditionalImports();

  test("a relative path, a package, and a name that platforms resolve", () => {
    const resolve = (from: string) =>
      resolveImport({ name: "http/body.ts" }, { from, kind: "value" }, conditional);
    expect(resolve("../errors.ts")).toEqual(["errors.ts"]);
    expect(resolve("jose")).toEqual([]);
    expect(resolve("#response")).toEqual([
      "platform/response/native.ts",
      "platform/response/node.ts",
    ]);
  });

  test("imports of types, values and lazy modules are distinguished", () => {
    const files = readSourceFiles();
    const count = (kind: "value" | "type" | "lazy"): number =>
      [...createImportGraph(files, [kind]).values()].flat().length;
    expect(count("value")).toBeGreaterThan(100);
    expect(count("type")).toBeGreaterThan(100);
    expect(count("lazy")).toBeGreaterThan(2);
  });
});
