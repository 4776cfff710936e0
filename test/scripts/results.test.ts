import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { benchmarks } from "../../benchmarks/benchmarks.ts";
import { proofs } from "../../proof/proofs.ts";
import { hashSources } from "../../scripts/runner/build.ts";
import { findOutdated, type ResultFile, readResults } from "../../scripts/runner/result-files.ts";
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
  const entry = { name: "soak", sources: ["src"] };

  /** Changes a repository of one file after a result of it was recorded. */
  function outdatedAfter(change: (repository: string) => void, entries = [entry]): string[] {
    const repository = mkdtempSync(join(tmpdir(), "espalier-outdated-test-"));
    try {
      mkdirSync(join(repository, "src"));
      writeFileSync(join(repository, "src/a.ts"), "one");
      const build = { sourcesSha256: hashSources(["src"], repository) };
      // Unchecked cast: only these members are read.
      const result = { file: "soak.json", result: { name: "soak", build } } as ResultFile;
      change(repository);
      return findOutdated([result], entries, repository).map(({ file }) => file);
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  }

  test("when a file has changed, or another one was added", () => {
    const write = (name: string) => (repository: string) =>
      writeFileSync(join(repository, "src", name), "two");
    expect(outdatedAfter(write("a.ts"))).toEqual(["soak.json"]);
    expect(outdatedAfter(write("b.ts"))).toEqual(["soak.json"]);
  });

  test("when nothing measures it any more", () => {
    expect(outdatedAfter(() => {}, [])).toEqual(["soak.json"]);
  });

  test("not when a file was written again, or something else has changed", () => {
    expect(outdatedAfter((folder) => writeFileSync(join(folder, "src/a.ts"), "one"))).toEqual([]);
    expect(outdatedAfter((folder) => writeFileSync(join(folder, "b.ts"), "two"))).toEqual([]);
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
