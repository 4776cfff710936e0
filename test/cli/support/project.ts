import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../support/bundle.ts";

/** Result of a run of the command line. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A user's project, with the built package in its `node_modules`. */
export interface Project extends Disposable {
  readonly folder: string;
  write(name: string, text: string): void;
  read(name: string): string;
  /**
   * Runs `espalier` with these arguments in the folder: the built program, or its source while coverage
   * is measured.
   */
  espalier(...args: readonly string[]): Outcome;
  /** The same with another program than the Node of the tests. */
  espalierBy(node: string, ...args: readonly string[]): Outcome;
}

/** Folder for the coverage of child processes; undefined unless it is measured. */
const coverage = process.env["NODE_V8_COVERAGE"];
const measured = coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage };
const source = join(root, "src/cli/espalier.ts");

/**
 * Creates a project with these files.
 *
 * @param packages further installed packages, linked from this repository
 */
export function createProject(
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = ["esbuild"],
): Project {
  const folder = mkdtempSync(join(folderOfProjects(), "espalier-cli-"));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(root, join(modules, "espalier"));
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  write("package.json", JSON.stringify({ name: "project", type: "module" }));
  for (const [name, text] of Object.entries(files)) write(name, text);
  const run = (node: string, program: string, args: readonly string[]): Outcome => {
    const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
      env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1", ...measured },
    });
    return { code: status, output: stdout, errors: stderr };
  };
  const built = join(modules, "espalier/dist/cli/espalier.js");
  return {
    folder,
    write,
    read: (name) => readFileSync(join(folder, name), "utf8"),
    espalier: (...args) => run(process.execPath, coverage === undefined ? built : source, args),
    espalierBy: (node, ...args) => run(node, built, args),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Parent folder of the projects, from which Node resolves only the projects' packages. A stray
 * `node_modules` in a parent folder would provide esbuild to projects that must not have it.
 */
function folderOfProjects(): string {
  const isAlone = (folder: string): boolean => {
    if (!existsSync(folder) || existsSync(join(folder, "node_modules"))) return false;
    return dirname(folder) === folder || isAlone(dirname(folder));
  };
  const candidates = [tmpdir(), "/var/tmp", homedir()];
  const found = candidates.find(isAlone);
  if (found === undefined)
    throw new Error(`A parent folder of each of ${candidates} has a node_modules.`);
  return found;
}

/** Path of the oldest supported Node; undefined if not installed. */
export function findNode20(): string | undefined {
  const candidates = ["/usr/bin/node", "/usr/local/bin/node", process.env["NODE20"] ?? ""];
  return candidates.find((path) => {
    if (path === "") return false;
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    return stdout?.startsWith("v20.") === true;
  });
}
