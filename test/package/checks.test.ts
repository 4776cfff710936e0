import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-checks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(folder, file), text);
}

function check(name: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts", `check-${name}.mjs`)],
    { cwd: folder, encoding: "utf8" },
  );
  return { status, output: stdout + stderr };
}

describe("check-jsr", () => {
  const manifest = {
    name: "espalier",
    version: "1.0.0",
    license: "MIT",
    exports: { ".": {}, "./core": {}, "./router.wasm": "", "./package.json": "" },
    imports: { "#host": { "espalier-source": "./src/host.ts" } },
    dependencies: { jose: "6.0.0" },
  };
  const jsr = {
    name: "@scope/espalier",
    version: "1.0.0",
    license: "MIT",
    exports: { ".": "./src/index.ts", "./core": "./src/core.ts" },
    imports: { "#host": "./src/host.ts", jose: "npm:jose@6.0.0" },
  };
  beforeEach(() => {
    write("package.json", manifest);
    write("src/index.ts", "");
    write("src/core.ts", "");
  });

  test("passes when all is equal", () => {
    write("jsr.json", jsr);
    expect(check("jsr")).toEqual({ status: 0, output: expect.stringContaining("2 entries") });
  });

  test.each([
    [
      "another name",
      { name: "@scope/trellis" },
      "name after the scope must be espalier, got trellis",
    ],
    ["another version", { version: "0.9.0" }, "version must be 1.0.0, got 0.9.0"],
    [
      "an entry is missing",
      { exports: { ".": "./src/index.ts" } },
      'exports["./core"] must be ./src/core.ts, got undefined',
    ],
    [
      "an entry too many",
      { exports: { ...jsr.exports, "./more": "./src/more.ts" } },
      'exports["./more"] is not in package.json',
    ],
    [
      "another version of a dependency",
      { imports: { ...jsr.imports, jose: "npm:jose@5.0.0" } },
      'imports["jose"] must be npm:jose@6.0.0, got npm:jose@5.0.0',
    ],
    [
      "a dependency is missing",
      { imports: { "#host": "./src/host.ts" } },
      'imports["jose"] is missing',
    ],
  ])("fails: %s", (_title, change, problem) => {
    write("jsr.json", { ...jsr, ...change });
    const { status, output } = check("jsr");
    expect(output).toContain(problem);
    expect(status).toBe(1);
  });
});

describe("check-licences", () => {
  const library = (name: string, license: string, dependencies = {}): void => {
    write(`node_modules/${name}/package.json`, { name, version: "1.0.0", license, dependencies });
    write(`node_modules/${name}/LICENSE`, `The licence of ${name}.`);
  };
  beforeEach(() => {
    write("package.json", { dependencies: { near: "1.0.0" } });
    library("near", "MIT", { far: "1.0.0" });
    library("far", "(GPL-3.0 OR ISC)");
    library("inside", "MIT");
    const bundle = "// ../node_modules/inside/index.js\n";
    write("dist/cli/espalier.js", `/* The licence of inside. */\n${bundle}`);
    write("create-espalier/dist/index.js", bundle);
    write("create-espalier/dist/THIRD-PARTY-NOTICES", "The licence of\ninside.");
  });

  test("passes with permissive ones, and texts that are given along", () => {
    expect(check("licences")).toEqual({
      status: 0,
      output: expect.stringContaining("2 installed packages, 2 inside"),
    });
  });

  test("fails: a dependency of a dependency is not permissive", () => {
    library("far", "GPL-3.0 AND MIT");
    expect(check("licences")).toEqual({
      status: 1,
      output: expect.stringContaining("far 1.0.0 has the licence GPL-3.0 AND MIT"),
    });
  });

  test("fails: a library is bundled without its text", () => {
    write("create-espalier/dist/THIRD-PARTY-NOTICES", "");
    const { status, output } = check("licences");
    expect(output).toContain("THIRD-PARTY-NOTICES lacks node_modules/inside/LICENSE");
    expect(status).toBe(1);
  });
});

describe("check-files", () => {
  const documents = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"];
  beforeEach(() => {
    write("package.json", {
      name: "espalier",
      version: "1.0.0",
      files: ["dist", "CHANGELOG.md", "SECURITY.md"],
      bin: { espalier: "dist/cli/espalier.js" },
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
      imports: { "#host": { "espalier-source": "./src/host.ts", default: "./dist/host.js" } },
      dependencies: { jose: "6.0.0" },
    });
    for (const file of documents) write(file, file);
    write("dist/index.js", 'import "#host";\nimport "./chunks/a.js";\nawait import("jose");\n');
    write("dist/index.d.ts", 'export type { A } from "./chunks/a.js";\n');
    write("dist/chunks/a.js", "export const text = 'import \"nothing\"';\n");
    write("dist/chunks/a.d.ts", "export type A = string;\n");
    write("dist/host.js", 'import "node:fs";\n');
    write("dist/cli/espalier.js", "");
    write("create-espalier/package.json", { name: "create-espalier", version: "1.0.0" });
    for (const file of ["LICENSE", "README.md", "dist/index.js", "dist/THIRD-PARTY-NOTICES"]) {
      write(`create-espalier/${file}`, file);
    }
  });

  test("passes when every file is reached and every import declared", () => {
    expect(check("files")).toEqual({ status: 0, output: expect.stringContaining("espalier 11 (") });
  });

  test.each([
    [
      "a chunk of an earlier build",
      "dist/chunks/old.js",
      "",
      "dist/chunks/old.js is in the tarball, but not reachable",
    ],
    ["a package that is not declared", "dist/host.js", 'import "left/node";', 'imports "left"'],
    ["a file that is not built", "dist/host.js", 'import "./b.js";', "dist/b.js does not exist"],
    [
      "tests of the starter",
      "create-espalier/a.test.ts",
      "",
      "create-espalier must not contain a.test.ts",
    ],
  ])("fails: %s", (_title, file, content, problem) => {
    write(file, content);
    const { status, output } = check("files");
    expect(output).toContain(problem);
    expect(status).toBe(1);
  });
});

test("the check of the package runs every check that there is", () => {
  const script = readFileSync(join(root, "scripts/check-package.mjs"), "utf8");
  for (const name of ["files", "licences", "jsr", "size"]) {
    expect(script).toContain(`scripts/check-${name}.mjs`);
  }
});
