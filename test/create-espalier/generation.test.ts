import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Feature, features } from "../../create-espalier/src/choices.ts";
import { projectFiles } from "../../create-espalier/src/project-files.ts";
import { writeFiles } from "../../create-espalier/src/target-folder.ts";
import { root } from "../support/bundle.ts";
import { combinations } from "./combinations.ts";

// Compiles whole programs, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-starter-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  // A copy, because Deno resolves packages only in node_modules.
  for (const name of ["dist", "package.json"]) {
    cpSync(join(root, name), join(modules, "espalier", name), { recursive: true });
  }
  for (const name of ["vitest", "@cloudflare", "@types/node"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const { title, project } of combinations) {
    writeFiles(join(folder, title), projectFiles(project));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Strings that occur only in the files and lines of one feature. */
const traces: Readonly<Record<Feature, RegExp>> = {
  auth: /auth|sign-in|token|secret|--env-file/i,
  queue: /queue|\bjobs?\b/i,
  cache: /cache(?!-control)/i,
  openapi: /openapi|\/docs|summary:/i,
};

test("there are 64 combinations", () => {
  expect(new Set(combinations.map(({ title }) => title)).size).toBe(64);
});

describe.each(combinations)("$title", ({ project }) => {
  const files = projectFiles(project);

  test("is complete, and contains no template instructions", () => {
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        ".editorconfig",
        ".gitignore",
        ".vscode/extensions.json",
        ".vscode/launch.json",
        ".vscode/settings.json",
        "README.md",
        "biome.json",
        "package.json",
        "src/app.ts",
        "src/controllers/show-greeting.ts",
        "src/routes.ts",
        "test/greetings.test.ts",
        "vitest.config.ts",
        project.platform === "deno" ? "deno.json" : "tsconfig.json",
        project.platform === "cloudflare" ? "src/worker.ts" : "src/server.ts",
      ]),
    );
    for (const [path, text] of files) {
      expect(text, path).not.toMatch(/\{\{|@(if|else|end)\b/);
      expect(text, `${path}: blank lines and blanks at the end`).not.toMatch(/\n{3}|[ \n]\n$| \n/);
      expect(text, path).toMatch(/\n$/);
    }
  });

  test("contains the chosen features and no others", () => {
    // The project's name contains those of its features.
    const text = [...files].flat().join("\n").replaceAll(project.name, "");
    expect(features.filter((feature) => traces[feature].test(text))).toEqual([...project.features]);
  });
});

/** Compiles the 16 projects of a platform as one program; their `Register` declarations are compatible. */
test.each(["cloudflare", "node", "bun"] as const)("all for %s type-check", (platform) => {
  const own = combinations.filter(({ project }) => project.platform === platform);
  const first = join(folder, own[0]?.title ?? "");
  const { config } = ts.readConfigFile(join(first, "tsconfig.json"), ts.sys.readFile);
  const include = own.flatMap(({ title }) => [`../${title}/src`, `../${title}/test`]);
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: [...include, "vitest.config.ts"] },
    ts.sys,
    first,
  );
  // Bun's types are installed only by the proof; the server uses only what Node's types declare as well.
  const types = platform === "bun" ? { types: ["node"], lib: ["lib.esnext.d.ts"] } : {};
  const program = ts.createProgram(fileNames, { ...options, ...types });
  expect(fileNames.length).toBeGreaterThan(16 * 5);
  expect(
    ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) => `${file?.fileName}: ${JSON.stringify(messageText)}`),
  ).toEqual([]);
});

test("all for Deno type-check", () => {
  const own = combinations.filter(({ project }) => project.platform === "deno");
  const all = join(folder, own.at(-1)?.title ?? "");
  for (const name of ["deno.json", "package.json"])
    copyFileSync(join(all, name), join(folder, name));
  const check = (): string =>
    run("deno", [
      "check",
      "--quiet",
      ...own.flatMap(({ title }) => [`${title}/src`, `${title}/test`]),
    ]);
  expect(check).not.toThrow();
});

test("all are formatted and pass the linter, with the configuration that they have", () => {
  // One configuration for all: Biome accepts no second one with the same root.
  for (const name of ["biome.json", ".gitignore"]) {
    copyFileSync(join(folder, combinations[0]?.title ?? "", name), join(folder, name));
  }
  for (const { title } of combinations) rmSync(join(folder, title, "biome.json"));
  const check = (): string =>
    run("biome", [
      "ci",
      "--colors=off",
      "--error-on-warnings",
      ...combinations.map(({ title }) => title),
    ]);
  expect(check).not.toThrow();
});

/** Returns the output of a command; on failure, throws an error with it. */
function run(command: string, words: readonly string[]): string {
  try {
    return execFileSync(join(root, "node_modules/.bin", command), words, {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, NO_COLOR: "1" },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command}: ${stdout}${stderr}`.slice(0, 3000));
  }
}
