import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { root } from "./support/bundle.ts";

interface SourceImport {
  readonly from: string;
  readonly isTypeOnly: boolean;
}

interface SourceFile {
  /** Path below `src/`. */
  readonly name: string;
  readonly syntax: ts.SourceFile;
  readonly imports: readonly SourceImport[];
}

const sourceFolder = join(root, "src");

const files: readonly SourceFile[] = readdirSync(sourceFolder, {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
  .map((name) => {
    const text = readFileSync(join(sourceFolder, name), "utf8");
    const syntax = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    return { name, syntax, imports: importsOf(syntax) };
  });

function importsOf(syntax: ts.SourceFile): SourceImport[] {
  return syntax.statements.flatMap((statement): SourceImport[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    return [{ from: moduleSpecifier.text, isTypeOnly: isTypeOnly(statement) }];
  });
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    const names =
      exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
    return statement.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
  }
  const bindings = statement.importClause?.namedBindings;
  if (statement.importClause?.isTypeOnly === true) return true;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return false;
  return (
    statement.importClause?.name === undefined && bindings.elements.every((name) => name.isTypeOnly)
  );
}

/** The file below `src/` that a relative import means; undefined for a package. */
function targetOf(file: SourceFile, { from }: SourceImport): string | undefined {
  if (!from.startsWith(".")) return undefined;
  return relative(sourceFolder, join(sourceFolder, dirname(file.name), from));
}

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
  /** From the lowest: a folder may import those of its own line and of lines above. */
  const layers: readonly (readonly string[])[] = [
    ["errors.ts", "register.ts", "util", "ambient.d.ts"],
    ["observability"],
    ["http", "routing", "pipeline", "validation", "container", "events", "resilience"],
    // A feature tells the platforms' drivers of its contract by their shape.
    ["controllers", "config", "cache", "queue", "schedule", "plugins", "rate-limit", "platform"],
    ["auth", "health", "openapi"],
    // What calls an application from outside knows nothing of its inside.
    ["client"],
    ["middleware", "testing", "websocket"],
    ["application"],
    ["cli"],
    [
      "index.ts",
      "core.ts",
      "client.ts",
      "cloudflare.ts",
      "deno.ts",
      "middleware.ts",
      "node.ts",
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
        const target = targetOf(file, entry);
        if (target === undefined || levelOf(target) <= levelOf(file.name)) continue;
        // Contracts name the application and the context; what is only a type binds nobody.
        if (entry.isTypeOnly) continue;
        // What a platform's bare functions offer has no home further down.
        if (/^platform\/(runtime|process-environment|decode-base64)\.ts$/.test(target)) continue;
        found.push(`${file.name} -> ${target}`);
      }
    }
    expect(found).toEqual([]);
  });

  test("there is no cycle", () => {
    const graph = new Map(
      files.map((file) => [
        file.name,
        file.imports
          .filter(({ isTypeOnly: typeOnly }) => !typeOnly)
          .map((entry) => targetOf(file, entry))
          .filter((target) => target !== undefined),
      ]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (name: string, trail: readonly string[]): void => {
      if (trail.includes(name)) {
        cycles.push([...trail.slice(trail.indexOf(name)), name].join(" -> "));
        return;
      }
      if (done.has(name)) return;
      for (const target of graph.get(name) ?? []) walk(target, [...trail, name]);
      done.add(name);
    };
    for (const { name } of files) walk(name, []);
    expect(cycles).toEqual([]);
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
