import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import {
  createImportGraph,
  findCycles,
  readConditionalImports,
  resolveImport,
} from "../scripts/source/import-graph.ts";
import { readSourceFiles } from "../scripts/source/source-files.ts";
import { root } from "./support/bundle.ts";

const files = readSourceFiles();
const conditional = readConditionalImports();

/** Largest cycle of files when imports of types count. */
const mostFilesInCycle = 10;

const mostLines = 300;
/** Files that may be longer, each with its own limit. */
const longFiles: Readonly<Record<string, number>> = {
  "application/application.ts": 580,
  "http/context.ts": 480,
  "index.ts": 320,
  "queue/queue.ts": 310,
  "routing/matcher.ts": 335,
  "routing/router.ts": 350,
  "testing/cache-store-suite.ts": 310,
};

const folderOf = (name: string): string => (name.includes("/") ? (name.split("/")[0] ?? "") : name);

/** The command line is a program for Node, and in no application. */
const isPlatformCode = (name: string): boolean => /^(cli|platform)\//.test(name);

describe("law 1: the core is Web APIs only", () => {
  const forbidden = new Set(["process", "Buffer", "Deno", "Bun", "global", "__dirname", "require"]);

  test("no name of a platform outside platform/ and cli/", () => {
    const found: string[] = [];
    for (const { name, syntax } of files.filter((file) => !isPlatformCode(file.name))) {
      const visit = (node: ts.Node): void => {
        if (ts.isIdentifier(node) && forbidden.has(node.text) && isReference(node)) {
          found.push(`${name}: ${node.text}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(syntax);
    }
    expect(found).toEqual([]);
  });

  test("no import of a platform's modules outside of them", () => {
    const found = files
      .filter((file) => !isPlatformCode(file.name))
      .flatMap((file) => file.imports.map(({ from }) => `${file.name}: ${from}`))
      .filter((line) => /: (node|cloudflare):/.test(line));
    expect(found).toEqual([]);
  });

  /** Not a property, a member's name, or the name of something declared here. */
  function isReference(node: ts.Identifier): boolean {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
    return ts.isExpression(parent) && !ts.isPropertyAssignment(parent);
  }
});

test("law 4: no mutable state in a module", () => {
  const found: string[] = [];
  for (const { name, syntax } of files) {
    for (const statement of syntax.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const isLet = (statement.declarationList.flags & ts.NodeFlags.Const) === 0;
      for (const declaration of statement.declarationList.declarations) {
        const { initializer, type } = declaration;
        const label = declaration.name.getText(syntax);
        const isReadonly = /^(Readonly|readonly)/.test(type?.getText(syntax) ?? "");
        const isCollection =
          initializer !== undefined &&
          ts.isNewExpression(initializer) &&
          /^(Map|Set|WeakMap|WeakSet)$/.test(initializer.expression.getText(syntax));
        if (isLet) found.push(`${name}: let ${label}`);
        else if (isCollection && !isReadonly) found.push(`${name}: const ${label}`);
      }
    }
  }
  expect(found).toEqual([]);
});

describe("law 5: lower folders never import higher ones", () => {
  /** From the lowest: a folder may import those of the same line and of lines above. */
  const layers: readonly (readonly string[])[] = [
    ["errors.ts", "register.ts", "util", "ambient.d.ts"],
    ["observability"],
    ["http", "routing", "pipeline", "validation", "container", "events", "resilience"],
    // A feature tells the platforms' drivers of its contract by their shape.
    [
      "controllers",
      "config",
      "cache",
      "queue",
      "schedule",
      "plugins",
      "rate-limit",
      "lock",
      "broadcast",
      "platform",
    ],
    ["auth", "crypto", "health", "openapi", "pagination", "metrics"],
    // What calls an application from outside knows nothing of its inside.
    ["client"],
    ["middleware", "testing", "websocket"],
    // Drivers over an engine's client.
    ["redis", "bullmq", "postgres"],
    ["application"],
    ["cli"],
    // Replacements of modules of any folder, which only bundlers import.
    ["production", "omitted"],
    [
      "index.ts",
      "core.ts",
      "client.ts",
      "cloudflare.ts",
      "deno.ts",
      "middleware.ts",
      "node.ts",
      "redis.ts",
      "bullmq.ts",
      "postgres.ts",
      "testing.ts",
      "websocket.ts",
    ],
  ];
  const levelOf = (name: string): number =>
    layers.findIndex((layer) => layer.includes(folderOf(name)));

  test("every folder has its place", () => {
    const homeless = files.map(({ name }) => name).filter((name) => levelOf(name) === -1);
    expect(homeless).toEqual([]);
  });

  test("no import goes upwards", () => {
    const found: string[] = [];
    for (const file of files) {
      for (const entry of file.imports) {
        // Contracts name the application and the context: types are free, up to the cycles below. What is
        // imported by a `#` name is chosen by the platform.
        if (entry.kind !== "value" || entry.from.startsWith("#")) continue;
        for (const target of resolveImport(file, entry, conditional)) {
          if (levelOf(target) <= levelOf(file.name)) continue;
          // Bare functions of a platform, which every folder may use.
          if (/^platform\/(runtime|process-environment|decode-base64)\.ts$/.test(target)) continue;
          found.push(`${file.name} -> ${target}`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  test("no import of values is in a cycle, whichever platform `#` names are resolved for", () => {
    expect(findCycles(createImportGraph(files, ["value", "lazy"]))).toEqual([]);
  });

  test("no cycle is large when imports of types count", () => {
    const [largest = []] = findCycles(createImportGraph(files, ["value", "type"]));
    expect(largest.length, largest.join("\n")).toBeLessThanOrEqual(mostFilesInCycle);
  });
});

describe("imports that a platform chooses", () => {
  test("every `#` name resolves to sources that exist, under every condition", () => {
    const targets = [...conditional.values()].flat();
    expect(targets.length).toBeGreaterThan(conditional.size);
    expect(targets.filter((name) => !existsSync(join(root, "src", name)))).toEqual([]);
  });

  test("only a `#` name imports them: a path would bring one platform into all bundles", () => {
    const chosen = new Set([...conditional.values()].flat());
    const found = files.flatMap((file) =>
      file.imports
        .filter(({ kind, from }) => kind !== "type" && !from.startsWith("#"))
        .flatMap((entry) => resolveImport(file, entry, conditional))
        .filter((target) => chosen.has(target) && !chosen.has(file.name))
        .map((target) => `${file.name} -> ${target}`),
    );
    expect(found).toEqual([]);
  });
});

describe("the size of files", () => {
  const long = files.filter(({ lines }) => lines > mostLines);

  test("no file is longer than one can read in a sitting", () => {
    const found = long.filter(({ name, lines }) => lines > (longFiles[name] ?? mostLines));
    expect(found.map(({ name, lines }) => `${name}: ${lines} lines`)).toEqual([]);
  });

  test("the list of longer ones has no file that is short", () => {
    const names = long.map(({ name }) => name);
    expect(Object.keys(longFiles).filter((name) => !names.includes(name))).toEqual([]);
  });
});

test("law 6: one runtime dependency", () => {
  expect(Object.keys(packageJson.dependencies).sort()).toEqual(["jose"]);
});

test("no any, no suppressed error, no generated code", () => {
  const found: string[] = [];
  for (const { name, syntax } of files) {
    if (/@ts-(ignore|nocheck|expect-error)/.test(syntax.getFullText()))
      found.push(`${name}: suppressed`);
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${name}: any`);
      const called =
        ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : undefined;
      if (/^(eval|Function)$/.test(called?.getText(syntax) ?? ""))
        found.push(`${name}: generated code`);
      ts.forEachChild(node, visit);
    };
    visit(syntax);
  }
  expect(found).toEqual([]);
});
