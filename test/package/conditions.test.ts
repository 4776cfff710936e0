import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

/** Files by condition, in the order of package.json; those of Node by a further condition. */
type Conditions = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const entries = Object.entries<string | Conditions>(packageJson.exports).filter(
  (entry): entry is [string, Conditions] => typeof entry[1] !== "string",
);
const allImports = Object.entries<Conditions>(packageJson.imports);
const imports = allImports.filter(([name]) => !name.endsWith("/*"));
/** Imported by the chunks of processes, which contain what the other imports choose for them. */
const response = imports.filter(([name]) => name === "#response");
/** Names that the build writes in modules for bundlers. */
const parts = allImports.filter(([name]) => name.endsWith("/*"));

// If one condition chose chunks for an entry and modules for another, an application would have two copies
// of the code, and an error of one would not be an instance of the other's class.
test.each([...entries, ...response])(
  "%s has modules for bundlers and chunks for processes",
  (_name, files) => {
    const { workerd, "edge-light": edgeLight, default: others, deno, bun, node } = files;
    const { module, default: process } = Object(node);
    const isModule = (file: unknown): boolean => String(file).startsWith("./dist/modules/");
    expect([workerd, edgeLight, others, module].map(isModule)).toEqual([true, true, true, true]);
    expect([deno, bun, process].map(isModule)).toEqual([false, false, false]);
    expect(Object.keys(Object(node))).toEqual(["module", "default"]);
  },
);

test.each([...entries, ...response])("%s asks for the platform first", (_name, files) => {
  expect(conditionsOf(files)).toEqual(["workerd", "edge-light", "deno", "bun", "node", "default"]);
});

test.each(imports.filter(([name]) => name !== "#response"))(
  "%s has modules for bundlers alone",
  (_name, files) => {
    const targets = conditionsOf(files).map((name) => String(files[name]));
    expect(targets.length).toBeGreaterThan(2);
    for (const target of targets) expect(target).toMatch(/^\.\/dist\/modules\//);
  },
);

test.each(parts)("%s replaces modules for bundlers alone", (name, files) => {
  const part = name.slice(1, -"/*".length);
  const [condition = "", target] =
    part === "part"
      ? ["production", "./dist/modules/production/*"]
      : [`espalier-no-${part}`, `./dist/modules/omitted/${part}.js`];
  expect(Object.entries(files)).toEqual([
    [condition, target],
    ["default", "./dist/modules/*"],
  ]);
});

function conditionsOf(files: Conditions): readonly string[] {
  return Object.keys(files).filter((name) => !["espalier-source", "types"].includes(name));
}
