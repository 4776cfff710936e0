// Lets Schemathesis ask an application everything that its OpenAPI description allows, and much
// that it does not: no answer may contradict the description, and none may be an error of the
// server.
//
//   node proof/openapi.mjs [--app orchard|bookshelf] [--quick] [--seed N] [--json FILE]
//
// Without --app both are asked: the tests' orchard, which has a route for everything that a description
// can say, and the example.
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
    app: { type: "string" },
    quick: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
/**
 * Answers that a request which the document allows may get all the same. 422 is among them because an
 * application's own checks (a rule's `custom`) cannot be said in JSON Schema; 415 because its middleware
 * and hooks may ask for more than the document knows.
 */
const settings = `
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "415", "422", "5xx"]
`;
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
async function startApplication(name, folder) {
  const file = join(folder, "server.mjs");
  await build({
    entryPoints: [join(root, "proof", "openapi-server.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["espalier-source", "node"],
    alias: { espalier: join(root, "src/index.ts") },
    tsconfigRaw: {},
    plugins: [routerBytes],
    logLevel: "error",
  });
  const child = spawn(process.execPath, [file, name], { stdio: ["ignore", "pipe", "inherit"] });
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

/** Asks one application, and counts. */
async function examine(program, name) {
  const folder = mkdtempSync(join(tmpdir(), "espalier-openapi-"));
  const application = await startApplication(name, folder);
  try {
    const startedAt = Date.now();
    const { code, output } = await runSchemathesis(program, folder, application);
    const seconds = (Date.now() - startedAt) / 1_000;
    const count = (expression) => Number((expression.exec(output)?.[1] ?? "0").replaceAll(",", ""));
    const examples = count(/([\d,]+) generated/);
    console.log(
      `${output}\n${name}: ${examples} examples in ${seconds.toFixed(1)} s, code ${code}.`,
    );
    return { name, code, examples, failures: count(/([\d,]+) unique failure/), seconds };
  } finally {
    application.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSchemathesis(program, folder, application) {
  writeFileSync(join(folder, "schemathesis.toml"), settings);
  const args = [
    "run",
    `${application.url}proof/openapi.json`,
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
  ];
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  return { code, output };
}

const program = installSchemathesis();
const results = [];
for (const name of options.app === undefined ? ["orchard", "bookshelf"] : [options.app]) {
  results.push(await examine(program, name));
}
const examples = results.reduce((sum, result) => sum + result.examples, 0);
if (results.some(({ code }) => code !== 0)) process.exitCode = 1;
if (!options.quick && examples < 2_000) {
  console.error(`Only ${examples} examples: at least 2000 are wanted.`);
  process.exitCode = 1;
}
if (options.json !== undefined) {
  const rows = results.flatMap(({ name, examples: asked, failures, seconds }) => {
    const row = (what, value, unit) => ({
      case: `${name}, ${what}`,
      runtime: `node ${process.versions.node}`,
      subject: `schemathesis ${version}, all checks`,
      value,
      unit,
      ratio: null,
    });
    return [
      row("examples", asked, "examples"),
      row("failures", failures, "failures"),
      row("duration", seconds, "s"),
    ];
  });
  const versions = { node: process.versions.node, schemathesis: version };
  writeFileSync(options.json, `${JSON.stringify({ versions, rows }, null, 2)}\n`);
}
