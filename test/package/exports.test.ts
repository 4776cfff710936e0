import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../support/bundle.ts";

const entries = Object.keys(packageJson.exports).filter((entry) => !/\.(wasm|json)$/.test(entry));
const sourceOf = (entry: string): string =>
  join(root, "src", `${entry === "." ? "index" : entry.slice(2)}.ts`);

const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) =>
  readFileSync(file, "utf8"),
);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(
  [...entries.map(sourceOf), join(root, "src/ambient.d.ts")],
  options,
);
const checker = program.getTypeChecker();

/** Returns the names of an entry, types marked as such: removing one breaks users. */
function namesOf(entry: string): string[] {
  const file = program.getSourceFile(sourceOf(entry));
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} is not a module.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      return (flags & ts.SymbolFlags.Value) === 0 ? `type ${symbol.name}` : symbol.name;
    })
    .sort();
}

test.each(entries)("the public names of %s, with its types, are these", (entry) => {
  const names = namesOf(entry);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toMatchSnapshot();
});
