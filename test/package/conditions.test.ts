import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

/** Files by condition, in the order of package.json. */
type Conditions = Readonly<Record<string, string>>;

/** Entries that only a process imports: they have no modules for bundlers. */
const processOnly = ["./deno", "./node", "./bullmq"];

const entries = Object.entries<string | Conditions>(packageJson.exports).filter(
  (entry): entry is [string, Conditions] =>
    typeof entry[1] !== "string" && !processOnly.includes(entry[0]),
);
const allImports = Object.entries<Conditions>(packageJson.imports);
const imports = allImports.filter(([name]) => !name.endsWith("/*"));
/** Names that the build writes in modules for bundlers. */
const parts = allImports.filter(([name]) => name.endsWith("/*"));

// If one condition chose chunks for an entry and modules for another, an application would have two copies
// of the code, and an error of one would not be an instance of the other's class.
test.each([...entries, ...imports])(
  "%s has modules for bundlers and chunks for processes",
  (_name, files) => {
    const isModule = (condition: string): boolean | undefined =>
      files[condition]?.startsWith("./dist/modules/");
    for (const condition of ["workerd", "edge-light", "default"])
      expect(isModule(condition)).toBe(true);
    for (const condition of ["deno", "bun", "node"]) expect(isModule(condition)).toBe(false);
  },
);

test.each([...entries, ...imports])("%s asks for the platform first", (_name, files) => {
  const order = Object.keys(files).filter((name) => !["espalier-source", "types"].includes(name));
  expect(order).toEqual(["workerd", "edge-light", "deno", "bun", "node", "default"]);
});

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
