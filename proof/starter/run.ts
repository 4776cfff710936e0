// Follows the steps of a new user: packs the framework and the starter as for publication, generates
// projects, installs them from the tarballs, type-checks and tests them, starts them with their script and
// sends requests to them.
//
// Without --all it tries N combinations of each platform (by default 2): the one with every feature, the one
// without any, and then others. All projects of a platform have the same dependencies, so each platform is
// installed once. `--package-manager` and `--all` also install projects with other package managers. Needs a package
// registry.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { packPackage } from "../support/pack-package.ts";
import { runProof } from "../support/run-proof.ts";
import { serveTarballs, type TarballRegistry } from "../support/serve-tarballs.ts";
import { askProject } from "./ask-project.mjs";
import { installManagers, type Manager, managers } from "./package-managers.ts";
import { environment, runCommand } from "./run-command.mjs";
import { serveProject } from "./serve-project.mjs";

const platforms = ["cloudflare", "node", "deno", "bun"] as const;
type Platform = (typeof platforms)[number];

const features = ["auth", "queue", "cache", "openapi"];
/** All sixteen sets of features: all, none, then the others. */
const sets = Array.from({ length: 16 }, (_, bits) =>
  features.filter((_feature, index) => (bits >> index) % 2 === 1),
);
const ordered = [...sets.slice(15), ...sets.slice(0, 15)];

/** Tarball of the framework, and the starter's command, installed from its tarball. */
interface Packages {
  readonly folder: string;
  readonly espalier: string;
  readonly starter: string;
  /** Has the framework for package managers that install no tarballs. */
  readonly registry: TarballRegistry;
}

const types = {
  sample: "string",
  all: "boolean",
  platform: "string",
  "package-manager": "string",
  tarball: "string",
} as const;

await runProof("starter", types, async (proof, options) => {
  const sample = readCount("--sample", options.sample, proof.isQuick ? 1 : 2);
  const chosen = ordered.slice(0, options.all ? ordered.length : sample);
  // Node, Deno and Bun as this repository installs them.
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  Object.assign(environment, { PATH: path });
  const folder = await mkdtemp(join(tmpdir(), "espalier-starter-proof-"));
  let registry: TarballRegistry | undefined;
  try {
    const espalier = options.tarball ?? (await packPackage(root, folder));
    await runCommand(root, process.execPath, ["create-espalier/build.mjs"]);
    const starter = await installStarter(
      await packPackage(join(root, "create-espalier"), folder),
      folder,
    );
    registry = await serveTarballs(new Map([[root, espalier]]));
    const names = readChoices(
      "--package-manager",
      options["package-manager"] ?? (options.all ? undefined : "npm"),
      Object.keys(managers),
    );
    const paths = await installManagers(names, folder, path);
    const platformNames = readChoices("--platform", options.platform, platforms);
    for (const { manager, set, platform } of combinations(names, chosen, platformNames)) {
      Object.assign(environment, { PATH: paths.get(manager) ?? path });
      const packages = { folder, espalier, starter, registry };
      const { steps, faults } = await tryCombination(packages, { platform, set, manager });
      const title = set.length === 0 ? "no feature" : set.join(" ");
      proof.add({
        case: manager === "npm" ? title : `${title}, ${manager}`,
        runtime: platform,
        tried: 1,
        unit: "projects",
        more: steps,
        faults,
      });
    }
  } finally {
    await registry?.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** One project of the matrix. */
interface Combination {
  readonly platform: Platform;
  readonly set: readonly string[];
  /** Name of the package manager. */
  readonly manager: string;
}

/**
 * The sets of features with npm; with the other package managers every feature and none in turn, so that each of
 * them has both, and so does each platform.
 */
function combinations(
  names: readonly string[],
  chosen: readonly (readonly string[])[],
  platformNames: readonly Platform[],
): readonly Combination[] {
  const [all = [], none = all] = chosen;
  const sets = names.includes("npm") ? chosen : [];
  const ofNpm = sets.map((set) =>
    platformNames.map((platform) => ({ platform, set, manager: "npm" })),
  );
  const ofOthers = names
    .filter((manager) => manager !== "npm")
    .map((manager, row) =>
      platformNames.map((platform, column) => ({
        platform,
        set: (row + column) % 2 === 0 ? all : none,
        manager,
      })),
    );
  return [...ofNpm.slice(0, 2), ...ofOthers, ...ofNpm.slice(2)].flat();
}

/** Installs the starter from its tarball, and returns the path of its command. */
async function installStarter(tarball: string, folder: string): Promise<string> {
  const home = join(folder, "starter");
  const flags = ["--prefix", home, "--no-audit", "--no-fund"];
  await runCommand(folder, "npm", ["install", ...flags, tarball]);
  return join(home, "node_modules/.bin/create-espalier");
}

/** Runs the steps of a combination in a folder of its platform, which keeps its packages. */
async function tryCombination(
  { folder, espalier, starter, registry }: Packages,
  { platform, set, manager }: Combination,
): Promise<{ readonly steps: Record<string, number>; readonly faults: readonly string[] }> {
  const name = manager === "npm" ? platform : `${platform}-${manager}`;
  const project = join(folder, name);
  const { name: command, run, separator, isForRegistries } = managers[manager] as Manager;
  Object.assign(environment, {
    NPM_CONFIG_REGISTRY: isForRegistries ? registry.url : process.env["NPM_CONFIG_REGISTRY"],
  });
  const steps: Record<string, number> = {};
  const step = async (title: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    steps[title] = Math.round(performance.now() - startedAt);
  };
  const [program, ...words] = run;
  const script = (title: string, ...args: readonly string[]): Promise<string> => {
    const given = args.length === 0 ? [] : [...separator, ...args];
    return runCommand(project, program, [...words, title, ...given]);
  };
  try {
    const isFirst = await clear(project);
    const answers = {
      name: "greeter",
      platform,
      features: set.join(",") || "none",
      "package-manager": command,
      ...(isForRegistries ? {} : { espalier: `file:${espalier}` }),
    };
    const flags = Object.entries(answers).flatMap(([option, value]) => [`--${option}`, value]);
    const install = isFirst ? [] : ["--no-install"];
    await step("generateMs", () =>
      runCommand(folder, starter, [name, ...flags, "--force", "--no-git", ...install]),
    );
    await step("typecheckMs", () => script("typecheck"));
    // Vitest allows 5 s for a test, which an overloaded machine exceeds.
    await step("testMs", () => script("test", "--testTimeout=60000"));
    await step("lintMs", () => script("lint"));
    await step("serveMs", async () => {
      const server = await serveProject(project, platform, { run, separator });
      try {
        await askProject(server, project, { platform, features: set });
      } finally {
        await server.stop();
      }
    });
    if (platform === "cloudflare") {
      await step("bundleMs", () => script("deploy", "--dry-run", "--outdir", ".wrangler/out"));
      await step("doctorMs", () => findProblems(project, set.includes("cache")));
    }
    return { steps, faults: [] };
  } catch (error) {
    return { steps, faults: [String(error)] };
  } finally {
    // One installation of each package manager would fill the disk.
    if (manager !== "npm") await rm(project, { recursive: true, force: true });
  }
}

/** A new project has nothing to report, not even a warning; one that keeps no values needs no namespace for them. */
async function findProblems(project: string, hasCache: boolean): Promise<void> {
  const output: string = await runCommand(project, "node_modules/.bin/espalier", ["doctor"]);
  const lines = output.split("\n").filter((line) => /^[!✗] /.test(line));
  const found = hasCache ? lines : lines.filter((line) => !line.startsWith("! No KV binding is"));
  if (found.length > 0 || !output.startsWith("✓")) throw new Error(output);
}

/** Removes a project except for its packages. Returns `true` if no packages are installed. */
async function clear(project: string): Promise<boolean> {
  const names = await readdir(project).catch((): string[] => []);
  for (const name of names) {
    if (name !== "node_modules") await rm(join(project, name), { recursive: true });
  }
  return !names.includes("node_modules");
}
