import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { checker, type PublicName, publicNames } from "./public-names.ts";

interface Option {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Options of a platform's own methods, which its documentation describes. */
const ofPlatforms: readonly string[] = ["KvListOptions", "KvPutOptions", "QueueSendOptions"];

const page = readFileSync(join(root, "docs/reference/options.md"), "utf8");
/** By heading, without marks: `ApplicationOptions of espalier/core` where two entries have a name. */
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => {
      return [(section.split("\n")[0] ?? "").replaceAll("`", ""), section];
    }),
);

const hasOptions = (name: string): boolean =>
  (name.endsWith("Options") || name === "ConfigSectionSource") && !ofPlatforms.includes(name);

const types = publicNames
  .filter(({ name }) => hasOptions(name))
  .map((type, index, all) => {
    const isSecond = all.findIndex(({ name }) => name === type.name) < index;
    return { ...type, heading: isSecond ? `${type.name} of ${type.entry}` : type.name };
  });

/** The options of an interface, in its order. */
function declaredOptions({ symbol, name }: PublicName): Option[] {
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .map((property) => {
      const [declaration] = property.declarations ?? [];
      if (declaration === undefined) throw new Error(`${name}.${property.name} is not declared`);
      return {
        name: property.name,
        type: normalise(typeTextOf(declaration)),
        isRequired: (property.flags & ts.SymbolFlags.Optional) === 0,
      };
    });
}

/** As it is written; of a method as if it were a property. */
function typeTextOf(declaration: ts.Declaration): string {
  if (ts.isPropertySignature(declaration)) return declaration.type?.getText() ?? "";
  if (!ts.isMethodSignature(declaration)) throw new Error(`${declaration.getText()} has no type`);
  const parameters = declaration.parameters.map((parameter) => parameter.getText());
  return `(${parameters.join(", ")}) => ${declaration.type?.getText()}`;
}

/** The rows of a table of the page. */
function documentedOptions(section: string): (Option & { readonly meaning: string })[] {
  return [...section.matchAll(/^\| `(\w+)` \| `(.+?)` \| (.+) \| (.*) \|$/gm)].map(
    ([, name = "", type = "", byDefault = "", meaning = ""]) => ({
      name,
      type: normalise(type.replaceAll("\\|", "|")),
      isRequired: byDefault === "required",
      meaning,
    }),
  );
}

/** A type without the ways in which it may be written. */
function normalise(type: string): string {
  const text = type
    .replace(/\s+/g, "")
    .replace(/^\|/, "")
    .replace(/\|undefined$/, "")
    .replaceAll(",)", ")");
  // A function type has parentheses where it stood beside `undefined`.
  return text.replace(/^\((\(.*)\)$/, "$1");
}

describe("docs/reference/options.md", () => {
  test("has a section for every type of options that is exported, and for no other", () => {
    const documented = [...sections.keys()];
    expect(documented.toSorted()).toEqual(
      [...types.map(({ heading }) => heading), "ResponseDocumentation"].toSorted(),
    );
  });

  describe.each(types)("$heading", (type) => {
    const section = sections.get(type.heading) ?? "";
    const documented = documentedOptions(section);

    test("has its options, with their types", () => {
      expect(documented.map(({ meaning: _meaning, ...option }) => option)).toEqual(
        declaredOptions(type),
      );
    });

    test("says what each is for, and which entry exports it", () => {
      expect(documented.length).toBeGreaterThan(0);
      expect(documented.filter(({ meaning }) => meaning.trim() === "")).toEqual([]);
      expect(section).toContain(`from \`${type.entry}\`.`);
    });
  });
});
