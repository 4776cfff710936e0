// Bundles an application with the installed package, and without its optional peers, with each bundler and
// target: no error is allowed, and the result must serve a request where it can run here.
//
// The bundlers are installed with npm into node_modules/.cache.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/runner/root.ts";
import { type Consumer, installPacked } from "../../test/support/packed-package.ts";
import { runProof } from "../support/run-proof.ts";

const packages = ["webpack@5.113.0", "@rspack/core@2.3.3", "rolldown@1.3.3", "esbuild@0.28.2"];

const application = `
import { Application, json } from "espalier";
const app = new Application({ host: "127.0.0.1" });
app.getRouter().get("/hello/:name(\\\\w+)", (ctx) => json({ hello: ctx.params.name }));
const response = await app.request("/hello/world");
globalThis.console.log(await response.text());
`;

const expected = '{"hello":"world"}';

/** A bundler for one target. Returns the errors, and the file to run, if it can run on Node. */
interface Attempt {
  readonly name: string;
  bundle(
    consumer: Consumer,
  ): Promise<{ readonly errors: readonly string[]; readonly file?: string }>;
}

/** The part of webpack's interface that rspack shares. */
type Pack = (
  options: object,
  done: (
    error: Error | null,
    stats?: { toJson(options: object): { errors?: { message: string }[] } },
  ) => void,
) => void;

await runProof("bundlers", {}, async (proof) => {
  const home = install();
  const load = async (name: string): Promise<Record<string, unknown>> => {
    const file = createRequire(join(home, "package.json")).resolve(name);
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  };
  for (const name of packages) {
    const at = name.lastIndexOf("@");
    proof.addVersion(name.slice(0, at), name.slice(at + 1));
  }
  // Unchecked casts to the documented interfaces: the bundlers are not dependencies of this repository.
  const webpack = (await load("webpack"))["default"] as Pack;
  const rspack = (await load("@rspack/core"))["rspack"] as Pack;
  const { rolldown } = (await load("rolldown")) as { rolldown: Rolldown };
  const { build } = (await load("esbuild")) as { build: Esbuild };
  const attempts = [
    ...["node", "web", "webworker"].map((target) => packAttempt("webpack", webpack, target)),
    ...["node", "web", "webworker"].map((target) => packAttempt("rspack", rspack, target)),
    rolldownAttempt(rolldown),
    ...["node", "browser", "neutral"].map((platform) => esbuildAttempt(build, platform)),
  ];
  const consumer = installPacked();
  try {
    consumer.write("app.mjs", application);
    for (const { name, bundle } of attempts) {
      const { errors, file } = await bundle(consumer);
      const faults = [...errors, ...(file === undefined ? [] : faultsOf(file))];
      proof.add({ case: name, runtime: "node", tried: 1, unit: "bundles", faults });
    }
  } finally {
    consumer.remove();
  }
});

function packAttempt(name: string, pack: Pack, target: string): Attempt {
  return {
    name: `${name}, ${target}`,
    async bundle({ folder }) {
      const path = join(folder, "out", `${name}-${target}`);
      const options = {
        mode: "production",
        context: folder,
        entry: join(folder, "app.mjs"),
        target,
        output: { path, filename: "main.cjs", chunkFilename: "[name].cjs", publicPath: "auto" },
        optimization: { minimize: false },
      };
      const errors = await new Promise<readonly string[]>((resolve, reject) =>
        pack(options, (error, stats) => {
          if (error !== null) reject(error);
          else
            resolve((stats?.toJson({ errors: true }).errors ?? []).map(({ message }) => message));
        }),
      );
      return target === "node" ? { errors, file: join(path, "main.cjs") } : { errors };
    },
  };
}

type Rolldown = (options: object) => Promise<{ write(options: object): Promise<unknown> }>;

function rolldownAttempt(rolldown: Rolldown): Attempt {
  return {
    name: "rolldown, node",
    async bundle({ folder }) {
      const dir = join(folder, "out", "rolldown");
      const bundle = await rolldown({ input: join(folder, "app.mjs"), platform: "node" });
      await bundle.write({ dir });
      return { errors: [], file: join(dir, "app.js") };
    },
  };
}

type Esbuild = (options: object) => Promise<unknown>;

function esbuildAttempt(build: Esbuild, platform: string): Attempt {
  return {
    name: `esbuild, ${platform}`,
    async bundle({ folder }) {
      const file = join(folder, "out", `esbuild-${platform}.mjs`);
      await build({
        entryPoints: [join(folder, "app.mjs")],
        bundle: true,
        platform,
        format: "esm",
        mainFields: ["module", "main"],
        outfile: file,
        logLevel: "silent",
      });
      return { errors: [], file };
    },
  };
}

function faultsOf(file: string): readonly string[] {
  try {
    const output = execFileSync(process.execPath, [file], {
      encoding: "utf8",
      timeout: 30_000,
    }).trim();
    return output === expected ? [] : [`printed ${output}, expected ${expected}`];
  } catch (error) {
    return [String(error)];
  }
}

/** Installs the bundlers once, and returns their folder. */
function install(): string {
  const folder = join(root, "node_modules", ".cache", "bundlers");
  const installed = join(folder, "installed");
  if (existsSync(installed)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", "--no-audit", "--no-fund", ...packages];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(installed, "");
  return folder;
}
