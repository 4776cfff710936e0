import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { readConditionalImports } from "../source/import-graph.ts";
import { compileModules } from "./compile-modules.ts";
import type { Sources } from "./entry.ts";
import { listFiles } from "./list-files.ts";
import { root } from "./root.ts";

/** A file, or a `#` name of package.json with the files that it stands for on some platform. */
interface SourceNode {
  /** Compiled code of a module; content of any other file; conditions of a name. */
  readonly content: Uint8Array;
  /** Nodes that it imports. */
  readonly imports: readonly string[];
}

const modulePattern = /\.[cm]?[jt]sx?$/;

/** The sources of a repository at one moment: each file is read and compiled at most once. */
export class SourceTree {
  readonly #folder: string;
  readonly #nodes = new Map<string, SourceNode>();
  readonly #texts = new Map<string, Uint8Array>();

  /** @param folder root of the repository */
  constructor(folder: string = root) {
    this.#folder = folder;
  }

  /**
   * Hashes sources with SHA-256: the code that runs and the texts, each with its path.
   *
   * @throws if a path or an imported file does not exist, or a module has a syntax error
   */
  hash({ code, texts }: Sources): string {
    const hash = createHash("sha256");
    const add = (name: string, content: Uint8Array): void => {
      hash.update(`${name}\0${content.byteLength}\0`).update(content);
    };
    for (const file of listFiles(texts, this.#folder)) add(file, this.#read(file));
    for (const name of this.#reach(code)) {
      const { content } = this.#get(name);
      // A module of types alone has no code.
      if (content.byteLength > 0) add(name, content);
    }
    return hash.digest("hex");
  }

  /** Lists the files that sources consist of, with those that they import. */
  list({ code, texts }: Sources): readonly string[] {
    const reached = this.#reach(code).map((name) => (name.startsWith("#") ? "package.json" : name));
    return [...new Set([...reached, ...listFiles(texts, this.#folder)])].sort();
  }

  /** Returns the nodes that the files of some paths import, with the files themselves, sorted. */
  #reach(paths: readonly string[]): readonly string[] {
    const reached = new Set<string>();
    let names: readonly string[] = listFiles(paths, this.#folder);
    while (names.length > 0) {
      for (const name of names) reached.add(name);
      this.#load(names);
      const imported = new Set(names.flatMap((name) => this.#get(name).imports));
      names = [...imported].filter((name) => !reached.has(name));
    }
    return [...reached].sort();
  }

  /** Loads nodes together: the compiler takes longer to start than to compile a module. */
  #load(names: readonly string[]): void {
    const missing = names.filter((name) => !this.#nodes.has(name));
    const compiled = compileModules(
      missing.filter((name) => modulePattern.test(name)),
      this.#folder,
    );
    for (const name of missing) {
      const module = compiled.get(name);
      if (module !== undefined) {
        const imports = module.imports.flatMap((specifier) => this.#resolve(name, specifier));
        this.#nodes.set(name, { content: module.code, imports });
      } else if (name.startsWith("#")) {
        this.#nodes.set(name, this.#readConditions(name));
      } else {
        this.#nodes.set(name, { content: this.#read(name), imports: [] });
      }
    }
  }

  #get(name: string): SourceNode {
    const node = this.#nodes.get(name);
    if (node === undefined) throw new Error(`"${name}" was not loaded.`);
    return node;
  }

  #read(file: string): Uint8Array {
    const content = this.#texts.get(file) ?? readFileSync(join(this.#folder, file));
    this.#texts.set(file, content);
    return content;
  }

  /** Returns the nodes that a specifier may stand for; none if it names another package. */
  #resolve(importer: string, specifier: string): readonly string[] {
    const [path = ""] = specifier.split("?");
    if (path.startsWith("#")) return [path];
    const isOwn = /^espalier(\/[\w/-]+)?$/.test(path);
    if (!isOwn && !path.startsWith(".")) return [];
    const file = isOwn
      ? `src/${path.slice("espalier/".length) || "index"}.ts`
      : posix.join(posix.dirname(importer), path);
    if (!existsSync(join(this.#folder, file))) {
      throw new Error(`${importer} imports "${specifier}", which does not exist.`);
    }
    return [file];
  }

  #readConditions(name: string): SourceNode {
    const files = readConditionalImports(this.#folder).get(name);
    if (files === undefined) throw new Error(`The imports of package.json lack "${name}".`);
    const manifest: { readonly imports: Readonly<Record<string, unknown>> } = JSON.parse(
      readFileSync(join(this.#folder, "package.json"), "utf8"),
    );
    return {
      content: Buffer.from(JSON.stringify(manifest.imports[name])),
      imports: files.map((file) => `src/${file}`),
    };
  }
}
