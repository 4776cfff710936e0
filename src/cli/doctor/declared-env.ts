import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as TypeScript from "typescript";

/** A member of the type of `env` that the application declares. */
export interface DeclaredMember {
  readonly name: string;
  /** The type as it is written, such as `D1Database`. */
  readonly type: string;
}

type Compiler = typeof TypeScript;
type Declaration = TypeScript.InterfaceDeclaration | TypeScript.TypeAliasDeclaration;

/**
 * Returns the required members of `env` in the interface `Register` of a project, as far as its files show them:
 * a type literal, or interfaces and aliases of the project. Types of packages are not read. Returns an empty list
 * without TypeScript and without a declaration.
 */
export async function readDeclaredEnv(folder: string): Promise<readonly DeclaredMember[]> {
  const ts = await findTypeScript(folder);
  if (ts === undefined) return [];
  const declarations = collectDeclarations(ts, parseProject(ts, folder));
  const members = new Map<string, DeclaredMember>();
  for (const register of declarations.get("Register") ?? []) {
    if (!ts.isInterfaceDeclaration(register) || !isAugmentation(ts, register)) continue;
    for (const member of register.members) {
      if (!ts.isPropertySignature(member) || nameOf(ts, member) !== "env") continue;
      for (const found of membersOf(ts, member.type, declarations)) members.set(found.name, found);
    }
  }
  return [...members.values()];
}

/** Loads the TypeScript of the project; undefined without one, or if it lacks this API. */
async function findTypeScript(folder: string): Promise<Compiler | undefined> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("typescript");
    const loaded: { default?: Compiler } & Compiler = await import(pathToFileURL(path).href);
    const ts = loaded.default ?? loaded;
    return typeof ts.createSourceFile === "function" ? ts : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the files of tsconfig.json, or every file of the folder without one. */
function parseProject(ts: Compiler, folder: string): readonly TypeScript.SourceFile[] {
  const path = ts.findConfigFile(folder, ts.sys.fileExists);
  const config = path === undefined ? {} : (ts.readConfigFile(path, ts.sys.readFile).config ?? {});
  const base = path === undefined ? folder : dirname(path);
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, base);
  return fileNames
    .filter((name) => !name.includes("/node_modules/"))
    .map((name) =>
      ts.createSourceFile(name, readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true),
    );
}

/** Returns all interfaces and type aliases by name, also those in modules and namespaces. */
function collectDeclarations(
  ts: Compiler,
  files: readonly TypeScript.SourceFile[],
): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, Declaration[]>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      found.set(node.name.text, [...(found.get(node.name.text) ?? []), node]);
    } else if (ts.isSourceFile(node) || ts.isModuleDeclaration(node) || ts.isModuleBlock(node)) {
      ts.forEachChild(node, visit);
    }
  };
  for (const file of files) visit(file);
  return found;
}

/** Returns true inside `declare module "espalier"`; another `Register` may belong to another package. */
function isAugmentation(ts: Compiler, declaration: Declaration): boolean {
  const module: TypeScript.Node | undefined = declaration.parent.parent;
  if (module === undefined || !ts.isModuleDeclaration(module)) return false;
  return /^espalier(?:\/core)?$/.test(module.name.text);
}

/**
 * Returns the required members of a type.
 *
 * @param seen the names that led here, since interfaces may extend each other in a circle by mistake
 */
function membersOf(
  ts: Compiler,
  type: TypeScript.Node | undefined,
  declarations: ReadonlyMap<string, readonly Declaration[]>,
  seen: readonly string[] = [],
): readonly DeclaredMember[] {
  if (type === undefined) return [];
  if (ts.isIntersectionTypeNode(type)) {
    return type.types.flatMap((part) => membersOf(ts, part, declarations, seen));
  }
  if (ts.isTypeLiteralNode(type)) return requiredOf(ts, type.members);
  const name = referenceName(ts, type);
  if (name === undefined || seen.includes(name)) return [];
  return (declarations.get(name) ?? []).flatMap((declaration) => {
    const path = [...seen, name];
    if (ts.isTypeAliasDeclaration(declaration)) {
      return membersOf(ts, declaration.type, declarations, path);
    }
    const bases = (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
    return [
      ...bases.flatMap((base) => membersOf(ts, base, declarations, path)),
      ...requiredOf(ts, declaration.members),
    ];
  });
}

/** Returns the last name of a reference: `Env` of `Cloudflare.Env`. */
function referenceName(ts: Compiler, type: TypeScript.Node): string | undefined {
  const reference = ts.isTypeReferenceNode(type)
    ? type.typeName
    : ts.isExpressionWithTypeArguments(type)
      ? type.expression
      : undefined;
  return reference?.getText().split(".").at(-1);
}

function requiredOf(
  ts: Compiler,
  members: readonly TypeScript.TypeElement[],
): readonly DeclaredMember[] {
  return members.flatMap((member) => {
    const name = nameOf(ts, member);
    if (!ts.isPropertySignature(member) || member.questionToken || name === undefined) return [];
    return [{ name, type: member.type?.getText() ?? "any" }];
  });
}

function nameOf(ts: Compiler, { name }: TypeScript.TypeElement): string | undefined {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name))
    ? name.text
    : undefined;
}
