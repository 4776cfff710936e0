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
const { "#part/*": parts, ...byPlatform } = packageJson.imports;
const imports = Object.entries<Conditions>(byPlatform);

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

test("only modules for bundlers are replaced by the condition production", () => {
  expect(Object.entries(parts)).toEqual([
    ["production", "./dist/modules/production/*"],
    ["default", "./dist/modules/*"],
  ]);
});
