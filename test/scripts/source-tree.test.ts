import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SourceTree } from "../../scripts/runner/source-tree.ts";

const conditions = {
  "espalier-source": "./src/host/process.ts",
  workerd: "./dist/host/workerd.js",
  default: "./dist/host/process.js",
};

/** A small package with an example. */
const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ version: "1.0.0", imports: { "#host": conditions } }),
  "src/index.ts": `import { host } from "#host";
import { add } from "./add.ts";
import type { Shape } from "./shape.ts";
export const total: number = add(1, 2);
export const load = () => import("./later.ts");
export type { Shape };
export { host };
`,
  "src/add.ts": 'export const add = (a: number, b: number): number => a + b;\nthrow "odd";\n',
  "src/later.ts": "export const later = true;\n",
  "src/shape.ts": "export interface Shape { readonly sides: number }\n",
  "src/queue.ts": 'export const queue = "jobs";\n',
  "src/host/process.ts": 'export const host = "process";\n',
  "src/host/workerd.ts": 'export const host = "workerd";\n',
  "examples/shop/app.ts":
    'import "espalier";\nimport { queue } from "espalier/queue";\nqueue.at(0);\n',
  "examples/shop/tables.sql": "create table goods (id integer);\n",
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-source-tree-test-"));
  for (const [name, text] of Object.entries(files)) write(name, text);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Replaces a part of a file, and appends to it if the part is empty. */
function change(name: string, before: string, after: string): void {
  const text = files[name] ?? "";
  expect(text).toContain(before);
  write(name, before === "" ? text + after : text.replace(before, after));
}

const hash = (code: readonly string[], texts: readonly string[] = []): string =>
  new SourceTree(folder).hash({ code, texts });

describe("the hash of code", () => {
  test("is 64 hexadecimal digits, the same for the same files", () => {
    expect(hash(["src/index.ts"])).toMatch(/^[0-9a-f]{64}$/);
    expect(hash(["src/index.ts"])).toBe(hash(["src/index.ts"]));
  });

  test.each([
    ["a comment", "src/add.ts", "", "// The sum.\n"],
    ["a docstring", "src/add.ts", "export", "/** Adds numbers. */\nexport"],
    ["a type", "src/add.ts", "b: number", "b: 1 | 2"],
    ["an interface", "src/add.ts", "", "export interface Sum { readonly of: number }\n"],
    ["a line break", "src/add.ts", " =>", " =>\n   "],
    ["the types that a module imports", "src/shape.ts", "sides", "corners"],
    ["a module that is not imported", "src/queue.ts", "jobs", "tasks"],
    ["a new module that is not imported", "src/another.ts", "", "export {};\n"],
    ["a file of another folder", "examples/shop/tables.sql", "goods", "wares"],
    ["the version of the package", "package.json", "1.0.0", "1.0.1"],
  ])("does not change with %s", (_title, name, before, after) => {
    const first = hash(["src/index.ts"]);
    change(name, before, after);
    expect(hash(["src/index.ts"])).toBe(first);
  });

  test.each([
    ["a statement", "src/add.ts", "", "add(1, 1);\n"],
    ["a string", "src/add.ts", "odd", "even"],
    ["a space in a string", "src/add.ts", "odd", "odd "],
    ["a module that is imported later", "src/later.ts", "true", "false"],
    ["another import", "src/index.ts", "", 'import "./queue.ts";\n'],
    ["a module for this platform", "src/host/process.ts", "process", "node"],
    ["a module for another platform", "src/host/workerd.ts", "workerd", "worker"],
    ["a condition of package.json", "package.json", '"workerd"', '"deno"'],
  ])("changes with %s", (_title, name, before, after) => {
    const first = hash(["src/index.ts"]);
    change(name, before, after);
    expect(hash(["src/index.ts"])).not.toBe(first);
  });

  test.each([
    ["its modules", "examples/shop/app.ts", "at(0)", "at(1)"],
    ["its other files", "examples/shop/tables.sql", "goods", "wares"],
    ["a new file", "examples/shop/more.sql", "", "drop table goods;\n"],
    ["the package", "src/add.ts", "odd", "even"],
    ["an entry of the package", "src/queue.ts", "jobs", "tasks"],
  ])("of a folder changes with %s", (_title, name, before, after) => {
    const first = hash(["examples/shop"]);
    change(name, before, after);
    expect(hash(["examples/shop"])).not.toBe(first);
  });
});

describe("the hash of texts", () => {
  test.each([
    ["a comment", "src/add.ts", "", "// The sum.\n"],
    ["a type", "src/shape.ts", "sides", "corners"],
    ["a new file", "src/notes.md", "", "To do\n"],
  ])("changes with %s", (_title, name, before, after) => {
    const first = hash([], ["src"]);
    change(name, before, after);
    expect(hash([], ["src"])).not.toBe(first);
  });

  test("does not follow imports", () => {
    const first = hash([], ["src/index.ts"]);
    change("src/add.ts", "odd", "even");
    expect(hash([], ["src/index.ts"])).toBe(first);
  });
});

describe("the list of sources", () => {
  test("has the files that are reached, and those whose text counts", () => {
    const sources = { code: ["src/index.ts"], texts: ["examples/shop/tables.sql"] };
    expect(new SourceTree(folder).list(sources)).toEqual([
      "examples/shop/tables.sql",
      "package.json",
      "src/add.ts",
      "src/host/process.ts",
      "src/host/workerd.ts",
      "src/index.ts",
      "src/later.ts",
    ]);
  });
});

describe("sources that cannot be read", () => {
  test.each([
    [["src/nowhere.ts"], [], 'The source "src/nowhere.ts" does not exist.'],
    [[], ["docs"], 'The source "docs" does not exist.'],
  ])("a missing path, of %j and %j", (code, texts, message) => {
    expect(() => hash(code, texts)).toThrow(message);
  });

  test.each([
    ["./gone.ts", 'src/add.ts imports "./gone.ts", which does not exist.'],
    ["espalier/gone", 'src/add.ts imports "espalier/gone", which does not exist.'],
    ["#gone", 'The imports of package.json lack "#gone".'],
  ])("a missing import of %j", (specifier, message) => {
    change("src/add.ts", "", `import ${JSON.stringify(specifier)};\n`);
    expect(() => hash(["src/index.ts"])).toThrow(message);
  });

  test("a syntax error", () => {
    change("src/add.ts", "", "export const;\n");
    expect(() => hash(["src/index.ts"])).toThrow("src/add.ts");
  });
});
