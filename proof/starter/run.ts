// Follows the steps of a new user: packs the framework and the starter as for publication, generates
// projects, installs them from the tarballs, type-checks and tests them, starts them with their script and
// sends requests to them.
//
// Without --all it tries N combinations of each platform (by default 2): the one with every feature, the one
// without any, and then others. All projects of a platform have the same dependencies, so each platform is
// installed once. Needs a package registry.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { askProject } from "./ask-project.mjs";
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
}

const types = { sample: "string", all: "boolean", platform: "string", tarball: "string" } as const;

await runProof("starter", types, async (proof, options) => {
  const sample = readCount("--sample", options.sample, proof.isQuick ? 1 : 2);
  const chosen = ordered.slice(0, options.all ? ordered.length : sample);
  // Node, Deno and Bun as this repository installs them.
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  Object.assign(environment, { PATH: path });
  const folder = await mkdtemp(join(tmpdir(), "espalier-starter-proof-"));
  try {
    const espalier = options.tarball ?? (await pack(root, folder));
    await runCommand(root, process.execPath, ["create-espalier/build.mjs"]);
    const starter = await installStarter(await pack(join(root, "create-espalier"), folder), folder);
    for (const platform of readChoices("--platform", options.platform, platforms)) {
      for (const set of chosen) {
        const { steps, faults } = await tryCombination(
          { folder, espalier, starter },
          platform,
          set,
        );
        const title = set.length === 0 ? "no feature" : set.join(" ");
        proof.add({
          case: title,
          runtime: platform,
          tried: 1,
          unit: "projects",
          more: steps,
          faults,
        });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Packs a package as it would be published, and returns the path of its tarball. */
async function pack(source: string, folder: string): Promise<string> {
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  const output: string = await runCommand(source, "npm", ["pack", ...flags]);
  return join(folder, output.trim().split("\n").at(-1) ?? "");
}

/** Installs the starter from its tarball, and returns the path of its command. */
async function installStarter(tarball: string, folder: string): Promise<string> {
  const home = join(folder, "starter");
  const flags = ["--prefix", home, "--no-audit", "--no-fund"];
  await runCommand(folder, "npm", ["install", ...flags, tarball]);
  return join(home, "node_modules/.bin/create-espalier");
}

/** Runs the steps of a combination in the platform's folder, which keeps its packages. */
async function tryCombination(
  { folder, espalier, starter }: Packages,
  platform: Platform,
  chosen: readonly string[],
): Promise<{ readonly steps: Record<string, number>; readonly faults: readonly string[] }> {
  const project = join(folder, platform);
  const steps: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    steps[name] = Math.round(performance.now() - startedAt);
  };
  const run = (...words: readonly string[]) => runCommand(project, "npm", words);
  try {
    const isFirst = await clear(project);
    const answers = {
      name: "greeter",
      platform,
      features: chosen.join(",") || "none",
      "package-manager": "npm",
      espalier: `file:${espalier}`,
    };
    const flags = Object.entries(answers).flatMap(([name, value]) => [`--${name}`, value]);
    const install = isFirst ? [] : ["--no-install"];
    await step("generateMs", () =>
      runCommand(folder, starter, [platform, ...flags, "--force", "--no-git", ...install]),
    );
    await step("typecheckMs", () => run("run", "typecheck"));
    await step("testMs", () => run("test"));
    await step("serveMs", async () => {
      const server = await serveProject(project, platform);
      try {
        await askProject(server, project, { platform, features: chosen });
      } finally {
        await server.stop();
      }
    });
    if (platform === "cloudflare") {
      await step("bundleMs", () =>
        run("run", "deploy", "--", "--dry-run", "--outdir", ".wrangler/out"),
      );
    }
    return { steps, faults: [] };
  } catch (error) {
    return { steps, faults: [String(error)] };
  }
}

/** Removes a project except for its packages. Returns `true` if no packages are installed. */
async function clear(project: string): Promise<boolean> {
  const names = await readdir(project).catch((): string[] => []);
  for (const name of names) {
    if (name !== "node_modules") await rm(join(project, name), { recursive: true });
  }
  return !names.includes("node_modules");
}
