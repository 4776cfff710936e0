import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { benchmarks, tools } from "../../benchmarks/benchmarks.ts";
import packageJson from "../../package.json" with { type: "json" };
import { proofs } from "../../proof/proofs.ts";
import { SourceTree } from "../../scripts/runner/source-tree.ts";
import { readChoices, readCount, readOptions } from "../../scripts/runner/usage.ts";
import { root } from "../support/bundle.ts";

function run(
  program: string,
  ...args: readonly string[]
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

describe.each([
  ["proof", "proof/run.ts", proofs, "proof/README.md"],
  ["benchmark", "benchmarks/run.ts", benchmarks, "benchmarks/README.md"],
] as const)("the runner of a %s", (noun, program, entries, page) => {
  test("lists every name with its summary", () => {
    const { status, output } = run(program);
    expect(status).toBe(0);
    for (const { name, summary } of entries) {
      expect(output).toMatch(
        new RegExp(`^  ${name} +${summary.replaceAll(/[[\]().*+?^$|\\]/g, "\\$&")}$`, "m"),
      );
    }
  });

  test("suggests the nearest name for an unknown one", () => {
    const [{ name } = { name: "" }] = entries;
    const misspelt = `${name.slice(0, -1)}x`;
    const { status, output } = run(program, misspelt, "--quick");
    expect(status).toBe(2);
    expect(output.trim()).toBe(`Unknown ${noun} "${misspelt}". Did you mean "${name}"?`);
  });

  test("every program exists, and its page has a section about it", () => {
    const headings = readFileSync(join(root, page), "utf8").match(/^## .*$/gm);
    for (const entry of entries) {
      expect(existsSync(join(root, entry.program)), entry.program).toBe(true);
      expect(headings, page).toContain(`## ${entry.name}`);
      expect([...entry.code, ...entry.texts].length, entry.name).toBeGreaterThan(0);
    }
  });

  test("refuses an unknown option, with the nearest one", () => {
    const unbuilt = entries.find(({ needsBuild }) => !needsBuild);
    const { status, output } = run(program, unbuilt?.name ?? "", "--quik");
    expect(status).toBe(2);
    expect(output).toContain('Unknown option "--quik". Did you mean "--quick"?');
  });

  test("shows the options of one program", () => {
    const { status, output } = run(program, entries.at(0)?.name ?? "", "--help");
    expect(status).toBe(0);
    expect(output).toContain(`-- ${entries.at(0)?.name} [--quick] [--json FILE] `);
  });
});

test("no script of package.json is left that runs one proof or benchmark", () => {
  const scripts = Object.keys(packageJson.scripts);
  expect(scripts.filter((name) => /^(proof|bench)/.test(name))).toEqual(["proof", "bench"]);
  expect(scripts.length).toBeLessThanOrEqual(18);
});

test("names are not used twice", () => {
  const names = [...benchmarks, ...tools].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("a proof writes its build, date, machine, versions and rows", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "espalier-runner-test-"));
  const entry = proofs.find(({ name }) => name === "differential") ?? { code: [], texts: [] };
  try {
    const file = join(folder, "result.json");
    const args = ["differential", "--pairs", "500", "--json", file];
    expect(run("proof/run.ts", ...args)).toMatchObject({ status: 0 });
    const result: unknown = JSON.parse(readFileSync(file, "utf8"));
    expect(result).toMatchObject({
      name: "differential",
      quick: false,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      durationSeconds: expect.any(Number),
      build: {
        commit: expect.stringMatching(/^([0-9a-f]{40}|unknown)$/),
        sources: [...entry.code, ...entry.texts],
        sourcesSha256: new SourceTree().hash(entry),
      },
      machine: { processors: expect.any(Number) },
      versions: { node: process.versions.node },
      inputs: 625,
      passed: true,
      rows: [
        { runtime: "node", value: 500, unit: "pairs", tried: 500, faults: [] },
        { runtime: "node", value: 125, unit: "pairs", tried: 125, faults: [] },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a proof without its requirements is skipped with the reason", () => {
  const { status, output } = run("proof/realworld/run.ts", "--collection", "/nowhere.json");
  expect(status).toBe(2);
  expect(output).toContain("Skipped: needs --collection FILE");
});

describe("the command line", () => {
  test("has --quick and --json beside the options of a program", () => {
    expect(readOptions(["--quick", "--seed", "3"], { seed: "string", all: "boolean" })).toEqual({
      quick: true,
      seed: "3",
      all: false,
    });
    expect(readOptions(["--json", "a.json"], {})).toEqual({ quick: false, json: "a.json" });
  });

  test.each([
    [["quick"], 'Unexpected argument "quick"; expected an option.'],
    [["--sed"], 'Unknown option "--sed". Did you mean "--seed"?'],
    [["--seed"], "argument missing"],
  ])("refuses %j", (args, message) => {
    expect(() => readOptions(args, { seed: "string" })).toThrow(message);
  });

  test.each(["0", "-1", "1.5", "ten", ""])("%j is not a count", (value) => {
    expect(() => readCount("--runs", value, 1)).toThrow(
      `The option --runs must be a positive integer, got "${value}".`,
    );
  });

  test("choices are named, separated by commas", () => {
    const all = ["node", "deno"] as const;
    expect(readChoices("--runtime", "deno", all)).toEqual(["deno"]);
    expect(readChoices("--runtime", undefined, all)).toEqual(all);
    expect(readChoices("--runtime", undefined, all, ["node"])).toEqual(["node"]);
    expect(() => readChoices("--runtime", "bun", all)).toThrow(
      'The option --runtime must be of node, deno; got "bun".',
    );
  });
});
