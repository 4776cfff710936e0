import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { benchmarks } from "../../benchmarks/benchmarks.ts";
import { proofs } from "../../proof/proofs.ts";
import { findOutdated, type ResultFile, readResults } from "../../scripts/runner/result-files.ts";
import { SourceTree } from "../../scripts/runner/source-tree.ts";
import { root } from "../support/bundle.ts";

describe.each([
  ["proof/results", proofs],
  ["benchmarks/results", benchmarks],
] as const)("the results in %s", (folder, entries) => {
  const files = readResults(folder);

  test("are results of programs that exist", () => {
    expect(files.length).toBeGreaterThan(0);
    const names = entries.map(({ name }) => name);
    expect(files.filter(({ result }) => !names.includes(result.name))).toEqual([]);
  });

  test.each(files)("$file has the members of every result", ({ result }) => {
    expect(result).toMatchObject({
      quick: expect.any(Boolean),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      build: {
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        isModified: expect.any(Boolean),
        sources: expect.arrayContaining([expect.any(String)]),
        sourcesSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      machine: { processor: expect.any(String), processors: expect.any(Number) },
      versions: { espalier: expect.any(String), node: expect.any(String) },
    });
    expect(result.rows.length).toBeGreaterThan(0);
    for (const row of result.rows) {
      expect(row).toMatchObject({
        case: expect.any(String),
        runtime: expect.any(String),
        subject: expect.any(String),
        value: expect.any(Number),
        unit: expect.any(String),
      });
    }
    const isNumber = typeof result.durationSeconds === "number";
    expect(isNumber || result.note !== undefined).toBe(true);
  });
});

test.each(readResults("proof/results"))("$file has passed", ({ result }) => {
  expect(result.rows.flatMap(({ faults = [] }) => faults)).toEqual([]);
  expect(result.passed).toBe(true);
  expect(result.inputs).toBe(result.rows.reduce((sum, { tried = 0 }) => sum + tried, 0));
});

test("no result is outside these folders", () => {
  const names = ["proof", "benchmarks"].flatMap((folder) => readdirSync(join(root, folder)));
  expect(names.filter((name) => /result.*\.json$/.test(name))).toEqual([]);
});

test("the tables of docs/reliability.md are those of the results", () => {
  const args = ["proof/write-tables.ts", "--check"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

describe("a result is older than its sources", () => {
  const entry = { name: "soak", code: ["src/a.ts"], texts: ["tables"] };

  /** Changes a small repository after a result of it was recorded. */
  function outdatedAfter(change: (repository: string) => void, entries = [entry]): string[] {
    const repository = mkdtempSync(join(tmpdir(), "espalier-outdated-test-"));
    try {
      mkdirSync(join(repository, "src"));
      mkdirSync(join(repository, "tables"));
      writeFileSync(join(repository, "src/a.ts"), 'import "./b.ts";');
      writeFileSync(join(repository, "src/b.ts"), "export const one = 1;");
      writeFileSync(join(repository, "tables/a.sql"), "select 1;");
      const build = { sourcesSha256: new SourceTree(repository).hash(entry) };
      // Unchecked cast: only these members are read.
      const result = { file: "soak.json", result: { name: "soak", build } } as ResultFile;
      change(repository);
      return findOutdated([result], entries, repository).map(({ file }) => file);
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  }

  const write = (name: string, text: string) => (repository: string) =>
    writeFileSync(join(repository, name), text);

  test.each([
    ["a module has changed", write("src/a.ts", 'import "./b.ts"; import "./b.ts";')],
    ["an imported module has changed", write("src/b.ts", "export const one = 2;")],
    ["a text has changed", write("tables/a.sql", "select 2;")],
    ["a text was added", write("tables/b.sql", "select 1;")],
  ])("when %s", (_title, change) => {
    expect(outdatedAfter(change)).toEqual(["soak.json"]);
  });

  test("when nothing measures it any more, or more than it has measured", () => {
    expect(outdatedAfter(() => {}, [])).toEqual(["soak.json"]);
    const wider = { ...entry, texts: ["tables", "src/b.ts"] };
    expect(outdatedAfter(() => {}, [wider])).toEqual(["soak.json"]);
  });

  test.each([
    ["a file was written again", write("src/b.ts", "export const one = 1;")],
    ["a comment or a type was added", write("src/b.ts", "// One\nexport const one: number = 1;")],
    ["something else has changed", write("src/c.ts", "export const two = 2;")],
  ])("not when %s", (_title, change) => {
    expect(outdatedAfter(change)).toEqual([]);
  });
});

test("`npm run proof -- results` lists every result with the state of its sources", () => {
  const args = ["proof/run.ts", "results"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect(status).toBe(0);
  for (const { file } of [...readResults("proof/results"), ...readResults("benchmarks/results")]) {
    const line = stdout.split("\n").find((text) => text.includes(` ${file} `));
    expect(line).toMatch(/changed since|as they are/);
  }
});
