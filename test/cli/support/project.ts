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

/** How a run of the command line ended. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Somebody's project, with the built package in its `node_modules`. */
export interface Project extends Disposable {
  readonly folder: string;
  write(name: string, text: string): void;
  read(name: string): string;
  /**
   * Runs `espalier` with these arguments in the folder: the built program; while coverage is measured,
   * its source, where alone lines are counted.
   */
  espalier(...args: readonly string[]): Outcome;
  /** The same by another program than the Node of the tests. */
  espalierBy(node: string, ...args: readonly string[]): Outcome;
}

/** Where child processes leave what they covered; undefined while that is not measured. */
const coverage = process.env["NODE_V8_COVERAGE"];
const measured = coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage };
const source = join(root, "src/cli/espalier.ts");

/**
 * Makes a project of these files.
 *
 * @param packages what it has installed beside espalier, linked from here
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
 * Where projects may lie: a folder from which Node finds no packages but the project's own. A stray
 * `node_modules` beside temporary files would install esbuild in the projects that are to be without it.
 */
function folderOfProjects(): string {
  const isAlone = (folder: string): boolean => {
    if (!existsSync(folder) || existsSync(join(folder, "node_modules"))) return false;
    return dirname(folder) === folder || isAlone(dirname(folder));
  };
  const candidates = [tmpdir(), "/var/tmp", homedir()];
  const found = candidates.find(isAlone);
  if (found === undefined) throw new Error(`A node_modules is over each of ${candidates}.`);
  return found;
}

/** The oldest Node that is promised, where the machine has one; undefined elsewhere. */
export function findNode20(): string | undefined {
  const candidates = ["/usr/bin/node", "/usr/local/bin/node", process.env["NODE20"] ?? ""];
  return candidates.find((path) => {
    if (path === "") return false;
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    return stdout?.startsWith("v20.") === true;
  });
}
