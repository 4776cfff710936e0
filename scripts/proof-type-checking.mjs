// Measures what 500 routes cost the type checker more than one route does.
//
//   node scripts/proof-type-checking.mjs [--routes N] [--quick] [--json FILE]
//
// Each handler's parameters are inferred from its pattern. The least of several rounds counts, for
// other processes only ever add time. Exit code 1 when the difference is 3 seconds or more.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const LIMIT_SECONDS = 3;

const { values } = parseArgs({
  options: {
    routes: { type: "string", default: "500" },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const repository = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(repository, "node_modules/typescript/bin/tsc");

/** Routes of five kinds in turn: deep, without parameters, mixed, wildcard, in a group. */
const kinds = [
  (n) =>
    `router.get("/api/${n}/users/:user/posts/:post", (c) => text(c.params.user + c.params.post));`,
  (n) => `router.post("/api/${n}/items", async (ctx) => text(ctx.url.href));`,
  (n) =>
    `router.put("/${n}/:y(\\\\d{4})-:month/:slug?", (c) => text(c.params.y), { name: "p${n}" });`,
  (n) =>
    `router.delete("/files/${n}/:owner/*path", (ctx) => text(ctx.params.owner + ctx.params.path));`,
  (n) =>
    `router.group("/${n}/:id", (g) => g.get("/:user", (c) => text(c.params.id + c.params.user)));`,
];

function check(routes) {
  const folder = mkdtempSync(join(tmpdir(), "type-checking-"));
  try {
    const lines = Array.from({ length: routes }, (_, n) => kinds[n % kinds.length](n));
    const source = [
      `import { Router } from ${JSON.stringify(join(repository, "src/routing/router.ts"))};`,
      "const router = new Router();",
      "const text = (value: string): Response => new Response(value);",
      ...lines,
    ];
    writeFileSync(join(folder, "routes.ts"), source.join("\n"));
    const config = {
      extends: join(repository, "tsconfig.json"),
      compilerOptions: {
        rootDir: "/",
        isolatedDeclarations: false,
        declaration: false,
        paths: {
          "#router-wasm": [join(repository, "src/routing/wasm/inline.ts")],
          "#server": [join(repository, "src/platform/server/process.ts")],
        },
      },
      files: ["routes.ts", join(repository, "src/ambient.d.ts")],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const output = execFileSync(
      process.execPath,
      [compiler, "-p", folder, "--extendedDiagnostics"],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const read = (label) => Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(output)?.[1]);
    return { seconds: read("Total time"), instantiations: read("Instantiations") };
  } catch (error) {
    throw new Error(`The routes do not compile:\n${error.stdout ?? error}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const routes = Number(values.routes);
const rounds = Array.from({ length: values.quick ? 1 : 4 }, () => ({
  one: check(1),
  many: check(routes),
}));
const least = (which) => Math.min(...rounds.map((round) => round[which].seconds));
const difference = Number((least("many") - least("one")).toFixed(2));
const instantiations = rounds[0].many.instantiations - rounds[0].one.instantiations;
console.log(
  `1 route: ${least("one")} s. ${routes} routes: ${least("many")} s. ${difference} s more ` +
    `(limit ${LIMIT_SECONDS}), ${instantiations} more instantiations.`,
);
if (difference >= LIMIT_SECONDS) process.exitCode = 1;

if (values.json !== undefined) {
  const row = (name, value, unit) => ({
    case: name,
    runtime: `node ${process.versions.node}`,
    subject: "tsc",
    value,
    unit,
    ratio: null,
  });
  const result = {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem() },
    versions: {
      node: process.versions.node,
      typescript: execFileSync(process.execPath, [compiler, "-v"], { encoding: "utf8" }).trim(),
    },
    rows: [
      row("1 route", least("one"), "s"),
      row(`${routes} routes`, least("many"), "s"),
      row("difference", difference, "s"),
      row("instantiations of 1 route", rounds[0].one.instantiations, "types"),
      row(`instantiations of ${routes} routes`, rounds[0].many.instantiations, "types"),
    ],
  };
  writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}
