// Does what somebody does who starts a project: packs the framework and the starter as they would be
// published, makes projects, installs them from the tarballs, type-checks and tests them, serves them by
// their own script and asks them over HTTP.
//
//   node proof/starter.mjs [--all] [--sample N] [--platform NAME] [--tarball FILE] [--json FILE]
//
// Without --all it tries N combinations of each platform (default 2): the one with everything, the one
// with nothing, and then others. Needs `npm run build` before, and a package registry. All projects of a
// platform have the same dependencies, so each platform is installed once.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askProject } from "./starter/ask-project.mjs";
import { environment, runCommand } from "./starter/run-command.mjs";
import { serveProject } from "./starter/serve-project.mjs";

const { values: options } = parseArgs({
  options: {
    all: { type: "boolean" },
    sample: { type: "string", default: "2" },
    platform: { type: "string" },
    tarball: { type: "string" },
    json: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
// Node, Deno and Bun as this repository installs them.
environment.PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

const features = ["auth", "queue", "cache", "openapi"];
/** All sixteen sets: the full one, the empty one, the others. */
const sets = Array.from({ length: 16 }, (_, bits) =>
  features.filter((_feature, index) => (bits >> index) % 2 === 1),
);
const ordered = [sets[15], sets[0], ...sets.slice(1, 15)];
const tried = options.all ? ordered : ordered.slice(0, Number(options.sample));
const platforms = ["cloudflare", "node", "deno", "bun"].filter(
  (platform) => options.platform === undefined || platform === options.platform,
);

if (!existsSync(join(root, "dist/index.js"))) {
  throw new Error("There is no dist/index.js to pack. Run `npm run build` before.");
}
const folder = await mkdtemp(join(tmpdir(), "espalier-starter-proof-"));
const results = [];
try {
  const espalier = options.tarball ?? (await pack(root));
  await runCommand(root, process.execPath, ["create-espalier/build.mjs"]);
  const starter = await installStarter(await pack(join(root, "create-espalier")));
  for (const platform of platforms) {
    for (const chosen of tried) {
      const result = await tryCombination(starter, espalier, platform, chosen);
      results.push(result);
      const { title, seconds, error } = result;
      console.log(`${error === undefined ? "ok    " : "failed"} ${title} ${seconds} s`);
      if (error !== undefined) console.error(error);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const failed = results.filter(({ error }) => error !== undefined).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
if (options.json) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;

/** Packs a package as it would be published. */
async function pack(source) {
  const output = await runCommand(source, "npm", [
    "pack",
    "--silent",
    "--ignore-scripts",
    "--pack-destination",
    folder,
  ]);
  return join(folder, output.trim().split("\n").at(-1));
}

/** Installs the starter from its tarball, and gives its command. */
async function installStarter(tarball) {
  const home = join(folder, "starter");
  await runCommand(folder, "npm", [
    "install",
    "--prefix",
    home,
    "--no-audit",
    "--no-fund",
    tarball,
  ]);
  return join(home, "node_modules/.bin/create-espalier");
}

/** The steps of one combination, in the platform's folder, whose packages stay. */
async function tryCombination(starter, espalier, platform, chosen) {
  const project = join(folder, platform);
  const startedAt = performance.now();
  const title = [platform, ...(chosen.length === 0 ? ["none"] : chosen)].join(" ");
  const steps = {};
  const step = async (name, work) => {
    const from = performance.now();
    await work();
    steps[name] = Math.round(performance.now() - from);
  };
  let error;
  try {
    const isFirst = await clear(project);
    await step("generateMs", () =>
      runCommand(folder, starter, [
        platform,
        "--name",
        "greeter",
        "--platform",
        platform,
        "--features",
        chosen.join(",") || "none",
        "--package-manager",
        "npm",
        "--espalier",
        `file:${espalier}`,
        "--force",
        "--no-git",
        ...(isFirst ? [] : ["--no-install"]),
      ]),
    );
    await step("typecheckMs", () => runCommand(project, "npm", ["run", "typecheck"]));
    await step("testMs", () => runCommand(project, "npm", ["test"]));
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
        runCommand(project, "npm", [
          "run",
          "deploy",
          "--",
          "--dry-run",
          "--outdir",
          ".wrangler/out",
        ]),
      );
    }
  } catch (cause) {
    error = String(cause);
  }
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  return { title, seconds, ...steps, ...(error === undefined ? {} : { error }) };
}

/** Removes all of a project but its packages. True when there were none. */
async function clear(project) {
  const names = await readdir(project).catch(() => []);
  for (const name of names) {
    if (name !== "node_modules") await rm(join(project, name), { recursive: true });
  }
  return !names.includes("node_modules");
}
