// Lets Schemathesis ask an application everything that its OpenAPI description allows, and much
// that it does not: no answer may contradict the description, and none may be an error of the
// server.
//
//   node proof/openapi.mjs [--quick] [--seed N] [--json FILE]
//
// Schemathesis is installed from PyPI into node_modules/.cache. Exit code 1 when it finds a
// failure.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const version = "4.32.5";
const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));

/** Installs Schemathesis, once, into a folder of its own. */
function installSchemathesis() {
  const folder = join(root, "node_modules", ".cache", `schemathesis-${version}`);
  const program = join(folder, "bin", "st");
  if (existsSync(join(folder, "installed"))) return program;
  mkdirSync(folder, { recursive: true });
  run("python3", ["-m", "venv", "--clear", folder]);
  run(join(folder, "bin", "pip"), ["install", "--quiet", `schemathesis==${version}`]);
  writeFileSync(join(folder, "installed"), version);
  return program;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}.`);
}

/** Bundles the application of the sources and serves it in a process of its own. */
async function startApplication(folder) {
  const file = join(folder, "server.mjs");
  await build({
    entryPoints: [join(root, "proof", "openapi-server.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["espalier-source", "node"],
    plugins: [routerBytes],
    logLevel: "error",
  });
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const [url, token] = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const found = /^listening (\S+) (\S+)$/m.exec(output);
      if (found) resolve([found[1], found[2]]);
    });
    child.on("exit", (code) => reject(new Error(`The application ended with ${code}: ${output}`)));
  });
  return { url, token, stop: () => child.kill() };
}

/** What the build gives `inline.ts`. */
const routerBytes = {
  name: "router-bytes",
  setup(context) {
    context.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
    context.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({
      contents: readFileSync(join(root, "router-wasm/pkg/router.wasm")).toString("base64"),
      loader: "text",
    }));
  },
};

const program = installSchemathesis();
const folder = mkdtempSync(join(tmpdir(), "espalier-openapi-"));
try {
  const application = await startApplication(folder);
  const report = join(folder, "report.json");
  const args = [
    "run",
    `${application.url}openapi.json`,
    "--checks=all",
    "--mode=all",
    `--seed=${options.seed}`,
    `--max-examples=${options.quick ? 20 : 150}`,
    "--generation-database=none",
    "--suppress-health-check=all",
    "--continue-on-failure",
    "--warnings=off",
    "--no-color",
    `--header=Authorization: Bearer ${application.token}`,
    "--report=json",
    `--report-json-path=${report}`,
  ];
  const startedAt = Date.now();
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  application.stop();
  const seconds = (Date.now() - startedAt) / 1_000;
  const generated = Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(",", "") ?? 0);
  const failed = Number(/([\d,]+) found/.exec(output)?.[1]?.replaceAll(",", "") ?? 0);
  console.log(output);
  console.log(`${generated} examples in ${seconds.toFixed(1)} s, exit code ${code}.`);
  if (code !== 0) process.exitCode = 1;
  if (!options.quick && generated < 2_000) {
    console.error(`Only ${generated} examples: at least 2000 are wanted.`);
    process.exitCode = 1;
  }
  if (options.json !== undefined) {
    const row = (name, value, unit) => ({
      case: name,
      runtime: `node ${process.versions.node}`,
      subject: `schemathesis ${version}, all checks`,
      value,
      unit,
      ratio: null,
    });
    const rows = [
      row("examples", generated, "examples"),
      row("failures", failed, "failures"),
      row("duration", seconds, "s"),
    ];
    const versions = { node: process.versions.node, schemathesis: version };
    writeFileSync(options.json, `${JSON.stringify({ versions, rows }, null, 2)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
