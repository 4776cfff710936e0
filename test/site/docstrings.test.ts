import ts from "typescript";
import { describe, expect, test } from "vitest";
import { checker, docstringOf, type PublicName, placeOf, publicNames } from "./public-names.ts";

const isCallable = ({ declaration, isTypeOnly }: PublicName): boolean =>
  !isTypeOnly && (ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration));

/** Members that a caller sees: of classes also the static ones, without what is private. */
function membersOf({ symbol, declaration }: PublicName): ts.Symbol[] {
  if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
  const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])];
  return members.filter(({ name, flags, declarations: [first] = [] }) => {
    if (name.startsWith("__") || name === "prototype" || first === undefined) return false;
    if ((flags & ts.SymbolFlags.TypeParameter) !== 0) return false;
    return !name.startsWith("#");
  });
}

/** Members whose name and type say all there is to say. */
function speaksForItself({ name }: PublicName, member: ts.Symbol): boolean {
  // Of the standards whose names they are: RFC 7517 and 7519, and the platform's own interfaces.
  if (["Jwk", "JwkSet", "Claims", "CryptoKeyLike", "OpenApiDocument"].includes(name)) return true;
  if (/^(Kv|Queue)[A-Z]|^RateLimit(Binding|Namespace|ObjectState)$/.test(name)) return true;
  return member.name === "name" || member.name === "id";
}

/** An example is in a separate block, or after `@example`. */
function hasExample(symbol: ts.Symbol): boolean {
  return (
    /^```ts$/m.test(docstringOf(symbol)) ||
    symbol.getJsDocTags(checker).some(({ name }) => name === "example")
  );
}

/** Docstring of a member, or that of what it overrides or implements. */
function memberDocstring(owner: PublicName, member: ts.Symbol): string {
  const own = docstringOf(member);
  if (own !== "" || !ts.isClassDeclaration(owner.declaration)) return own;
  const clauses = owner.declaration.heritageClauses ?? [];
  return clauses
    .flatMap((clause) => clause.types.map((type) => checker.getTypeAtLocation(type)))
    .map((type) => type.getProperty(member.name))
    .map((inherited) => (inherited === undefined ? "" : docstringOf(inherited)))
    .join("");
}

describe("hovering a public name", () => {
  test("there are names", () => {
    expect(publicNames.length).toBeGreaterThan(100);
  });

  test("shows a docstring", () => {
    const silent = publicNames.filter(({ symbol }) => docstringOf(symbol) === "");
    expect(silent.map(({ name, declaration }) => `${name} ${placeOf(declaration)}`)).toEqual([]);
  });

  test("shows an example of every function and class", () => {
    const bare = publicNames.filter(isCallable).filter(({ symbol }) => !hasExample(symbol));
    expect(bare.map(({ name, declaration }) => `${name} ${placeOf(declaration)}`)).toEqual([]);
  });

  test("shows what its members are for", () => {
    const silent = publicNames.flatMap((owner) =>
      membersOf(owner)
        .filter((member) => !speaksForItself(owner, member))
        .filter((member) => memberDocstring(owner, member) === "")
        .map(({ name, declarations: [first] = [] }) => {
          return `${owner.name}.${name} ${first === undefined ? "" : placeOf(first)}`;
        }),
    );
    expect(silent).toEqual([]);
  });
});
