import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A change to a source, behind a switch in the instrumented copy. */
export interface Mutant {
  readonly id: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  /** Source line at the start of the change. */
  readonly code: string;
  /** First line of the replaced code. */
  readonly original: string;
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Result of the instrumenter; lines and columns are 0-based. */
interface Instrumented {
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly mutants: readonly {
    readonly id: string;
    readonly fileName: string;
    readonly mutatorName: string;
    readonly replacement?: string;
    readonly location: { readonly start: Position; readonly end: Position };
  }[];
}

/** Resolves the packages of this folder, which the repository does not install. */
async function loadInstrumenter() {
  const name = "@stryker-mutator/instrumenter";
  try {
    return (await import(name)).Instrumenter;
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci --prefix proof/mutation.`, { cause });
  }
}

/** Files and folders of the repository that the tests read. */
const COPIED = ["src", "test", "examples", "proof/parity", "router-wasm/pkg", "docs"];
const COPIED_FILES = ["package.json", "tsconfig.json", "vitest.config.ts"];

const silent = () => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

function textOf(source: string, from: Position, to: Position): string {
  const lines = source.split("\n").slice(from.line, to.line + 1);
  const first = lines[0] ?? "";
  return lines.length > 1 ? `${first.slice(from.column)} …` : first.slice(from.column, to.column);
}

/**
 * Copies the repository's sources and tests into `tree`, with every mutant of `files` in the copy
 * behind a switch, and returns the mutants. Nothing outside of `tree` is written.
 */
export async function instrumentTree(tree: string, files: readonly string[]): Promise<Mutant[]> {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const withoutModules = (path: string) => !/\/(node_modules|dist|\.wrangler)(\/|$)/.test(path);
  for (const folder of COPIED) {
    cpSync(join(root, folder), join(tree, folder), { recursive: true, filter: withoutModules });
  }
  for (const file of COPIED_FILES) cpSync(join(root, file), join(tree, file));
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));

  // Mutates the copies, so that sources can be edited meanwhile.
  const sources = files.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(tree, name), "utf8"),
  }));
  // The instrumenter writes `(a as number) & b` without its parentheses, which does not compile. Types become
  // spaces, so that every position stays.
  const untyped = sources.map((source) => ({
    ...source,
    content: stripTypeScriptTypes(source.content),
  }));
  const Instrumenter = await loadInstrumenter();
  const result: Instrumented = await new Instrumenter(logger).instrument(untyped, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  for (const { name, content } of result.files) {
    const path = join(tree, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const contents = new Map(sources.map(({ name, content }) => [name, content]));
  return result.mutants.map(({ id, fileName, mutatorName, replacement, location }) => {
    const source = contents.get(fileName) ?? "";
    return {
      id,
      file: fileName,
      line: location.start.line + 1,
      column: location.start.column + 1,
      mutator: mutatorName,
      code: (source.split("\n")[location.start.line] ?? "").trim(),
      original: textOf(source, location.start, location.end),
      replacement: replacement ?? "",
    };
  });
}
