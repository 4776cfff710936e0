import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../runner/root.ts";

/** A module specifier of a source file. */
export interface SourceImport {
  readonly from: string;
  /** `type`: erased by the compiler. `lazy`: an `import()` that runs later. */
  readonly kind: "value" | "type" | "lazy";
}

/** One TypeScript file below `src/`, without declaration files. */
export interface SourceFile {
  /** Path below `src/`, with slashes. */
  readonly name: string;
  readonly text: string;
  readonly lines: number;
  readonly syntax: ts.SourceFile;
  readonly imports: readonly SourceImport[];
}

/** Reads and parses every file below `src/`. */
export function readSourceFiles(): readonly SourceFile[] {
  const folder = join(root, "src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const syntax = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
      const lines = text.trimEnd().split("\n").length;
      return {
        name: name.replaceAll("\\", "/"),
        text,
        lines,
        syntax,
        imports: findImports(syntax),
      };
    });
}

function findImports(syntax: ts.SourceFile): SourceImport[] {
  const imports: SourceImport[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, isTypeOnly(node) ? "type" : "value");
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, "type");
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], "lazy");
    }
    ts.forEachChild(node, visit);
  };
  const add = (specifier: ts.Node | undefined, kind: SourceImport["kind"]): void => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    imports.push({ from: specifier.text, kind });
  };
  visit(syntax);
  return imports;
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    const names =
      exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
    return statement.isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
  }
  const { importClause } = statement;
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const { name, namedBindings } = importClause;
  if (name !== undefined || namedBindings === undefined) return false;
  return ts.isNamedImports(namedBindings) && namedBindings.elements.every((one) => one.isTypeOnly);
}
