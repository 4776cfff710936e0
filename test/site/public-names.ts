import { join } from "node:path";
import ts from "typescript";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../support/bundle.ts";

/** A name that the package exports. */
export interface PublicName {
  readonly name: string;
  /** Import specifier: `espalier/cloudflare`. */
  readonly entry: string;
  /** The symbol that the name stands for, no longer an alias. */
  readonly symbol: ts.Symbol;
  readonly declaration: ts.Declaration;
  /** True if it exists only as a type. */
  readonly isTypeOnly: boolean;
}

const entries = Object.keys(packageJson.exports)
  .filter((path) => path !== "./package.json" && !path.endsWith(".wasm"))
  .map((path) => ({
    entry: path.replace(/^\./, "espalier"),
    file: join(root, path === "." ? "src/index.ts" : `src/${path.slice(2)}.ts`),
  }));

const program = createProgram();

export const checker: ts.TypeChecker = program.getTypeChecker();

/** Every exported name, once, in the order of the entries of `package.json`. */
export const publicNames: readonly PublicName[] = collect();

function createProgram(): ts.Program {
  const path = join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = [join(root, "src/ambient.d.ts"), ...entries.map(({ file }) => file)];
  return ts.createProgram(files, options);
}

function collect(): PublicName[] {
  const known = new Map<ts.Symbol, PublicName>();
  for (const { entry, file } of entries) {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    for (const exported of checker.getExportsOfModule(module)) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const [declaration] = symbol.declarations ?? [];
      if (declaration === undefined)
        throw new Error(`${entry}: ${exported.name} is declared nowhere`);
      if (known.has(symbol)) continue;
      const isTypeOnly = (exported.declarations ?? []).some(isTypeOnlyExport);
      known.set(symbol, { name: exported.name, entry, symbol, declaration, isTypeOnly });
    }
  }
  return [...known.values()];
}

/** `export type { Name }`, or `export { type Name }`. */
function isTypeOnlyExport(declaration: ts.Declaration): boolean {
  if (!ts.isExportSpecifier(declaration)) return false;
  return declaration.isTypeOnly || declaration.parent.parent.isTypeOnly;
}

/** Text of a docstring, with its examples; empty without one. */
export function docstringOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

/** Location of a declaration: `src/http/body.ts:12`. */
export function placeOf(declaration: ts.Node): string {
  const file = declaration.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart());
  return `${file.fileName.slice(root.length)}:${line + 1}`;
}
