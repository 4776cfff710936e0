import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { root } from "../support/bundle.ts";
import type { CodeBlock } from "./code-blocks.ts";

const fixtures = join(root, "test/docs/fixtures");

/**
 * Type-checks all blocks in one program, each as a separate module, and returns the problems of
 * each, as `page:line: message`.
 *
 * A block finds what its page talks about without declaring it (`app`, `ShowBook`) in the globals of
 * `fixtures/`, and imports what it uses of `espalier` by itself where it does not say so.
 */
export function checkBlocks(blocks: readonly CodeBlock[]): ReadonlyMap<CodeBlock, string[]> {
  const options = readOptions();
  const files = new Map<string, { block: CodeBlock; text: string }>();
  const exported = exportsOfPackage(options);
  for (const block of blocks) {
    const folder = join(fixtures, basename(block.page, ".md"));
    // A block that starts with a file name can be imported as that file by others of its page.
    const name = /^\/\/ ([\w-]+\.ts)\n/.exec(block.text)?.[1] ?? `line-${block.line}.ts`;
    // On the block's first line, so that line numbers are kept.
    files.set(join(folder, name), {
      block,
      text: `${implicitImport(block, exported)}${block.text}\nexport {};\n`,
    });
  }
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  // The folders of the blocks do not exist: modules are resolved from existing ones.
  delete host.directoryExists;
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = files.get(path)?.text;
    if (text === undefined) return getSourceFile(path, languageVersion, ...rest);
    return ts.createSourceFile(path, text, languageVersion, true);
  };
  const declared = readdirSync(fixtures).map((name) => join(fixtures, name));
  const ambient = join(root, "src/ambient.d.ts");
  const program = ts.createProgram([ambient, ...declared, ...files.keys()], options, host);
  for (const path of declared) refuseBroken(program, path);
  const results = new Map<CodeBlock, string[]>();
  for (const [path, { block }] of files) {
    results.set(
      block,
      diagnosticsOf(program, path).map((diagnostic) => describe(block, diagnostic)),
    );
  }
  return results;
}

/** Compiler options of the tests, without those that are too strict for applications. */
function readOptions(): ts.CompilerOptions {
  const path = join(root, "test/tsconfig.json");
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  return {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    noImplicitReturns: false,
    noPropertyAccessFromIndexSignature: false,
  };
}

/** Exported names of `espalier`, and whether each is only a type. */
function exportsOfPackage(options: ts.CompilerOptions): ReadonlyMap<string, boolean> {
  const entry = join(root, "src/index.ts");
  const program = ts.createProgram([entry, join(root, "src/ambient.d.ts")], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error("src/index.ts exports nothing");
  const isType = (symbol: ts.Symbol): boolean => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target.flags & ts.SymbolFlags.Value) === 0;
  };
  return new Map(checker.getExportsOfModule(module).map((one) => [one.name, isType(one)]));
}

/** The import that the block leaves out: names it mentions and neither imports nor declares. */
function implicitImport(block: CodeBlock, exported: ReadonlyMap<string, boolean>): string {
  const file = ts.createSourceFile("block.ts", block.text, ts.ScriptTarget.ESNext, true);
  const mentioned = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
      if (!isMember) mentioned.add(node.text);
    }
    if (
      (ts.isImportSpecifier(node) ||
        ts.isVariableDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isInterfaceDeclaration(node)) &&
      node.name !== undefined &&
      ts.isIdentifier(node.name)
    ) {
      declared.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const names = [...mentioned].filter((name) => exported.has(name) && !declared.has(name));
  if (names.length === 0) return "";
  const specifiers = names.map((name) => (exported.get(name) ? `type ${name}` : name));
  return `import { ${specifiers.join(", ")} } from "espalier"; `;
}

function diagnosticsOf(program: ts.Program, path: string): readonly ts.Diagnostic[] {
  const file = program.getSourceFile(path);
  if (file === undefined) throw new Error(`${path} is not part of the program`);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
}

function refuseBroken(program: ts.Program, path: string): void {
  const [first] = diagnosticsOf(program, path);
  if (first === undefined) return;
  throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, "\n")}`);
}

function describe(block: CodeBlock, { file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
  return `${block.page}:${block.line + line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}
