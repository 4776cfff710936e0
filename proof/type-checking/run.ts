// Measures the cost of 500 routes for the type checker, compared with one route. Each handler's parameters are
// inferred from its pattern. The least of several rounds counts, because other processes only ever add time.
// Fails if the difference is 3 seconds or more; the short form has one round and judges only the number of
// instantiated types, which does not depend on the machine.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { versionOf } from "../../scripts/runner/machine.ts";
import { root } from "../../scripts/runner/root.ts";
import { readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";

const limitSeconds = 3;
/** Instantiated types of one route; 88 when this was written. */
const limitTypesPerRoute = 120;

/** Generates routes of five kinds in turn: deep, without parameters, mixed, wildcard, in a group. */
const kinds: readonly ((n: number) => string)[] = [
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

await runProof("type-checking", { routes: "string" }, async (proof, options) => {
  const routes = readCount("--routes", options.routes, 500);
  proof.addVersion("typescript", versionOf("node_modules/typescript"));
  const rounds = Array.from({ length: proof.isQuick ? 1 : 4 }, () => ({
    one: check(1),
    many: check(routes),
  }));
  const least = (which: "one" | "many"): number =>
    Math.min(...rounds.map((round) => round[which].seconds));
  const seconds = Number((least("many") - least("one")).toFixed(2));
  const typesOf = (which: "one" | "many"): number => rounds[0]?.[which].instantiations ?? 0;
  const typesPerRoute = Math.round((typesOf("many") - typesOf("one")) / routes);
  proof.add({
    case: `${routes} routes beyond one`,
    runtime: "node",
    tried: routes,
    value: seconds,
    unit: "s",
    more: {
      secondsOfOneRoute: least("one"),
      secondsOfAllRoutes: least("many"),
      instantiationsOfOneRoute: typesOf("one"),
      instantiationsOfAllRoutes: typesOf("many"),
    },
    faults: [
      ...(proof.isQuick || seconds < limitSeconds ? [] : [`must be less than ${limitSeconds} s`]),
      ...(typesPerRoute <= limitTypesPerRoute
        ? []
        : [`${typesPerRoute} types for each route, at most ${limitTypesPerRoute} expected`]),
    ],
  });
});

interface Cost {
  readonly seconds: number;
  readonly instantiations: number;
}

/** Type-checks a module with some routes, with the settings of the package's own sources. */
function check(routes: number): Cost {
  const folder = mkdtempSync(join(tmpdir(), "espalier-type-checking-"));
  try {
    const lines = Array.from({ length: routes }, (_, n) => kinds[n % kinds.length]?.(n) ?? "");
    const source = [
      `import { Router } from ${JSON.stringify(join(root, "src/routing/router.ts"))};`,
      "const router = new Router();",
      "const text = (value: string): Response => new Response(value);",
      ...lines,
    ];
    writeFileSync(join(folder, "routes.ts"), source.join("\n"));
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        rootDir: "/",
        isolatedDeclarations: false,
        declaration: false,
        // The sources that a router imports include those for Node; this folder has no packages.
        typeRoots: [join(root, "node_modules/@types")],
        types: ["node"],
      },
      files: ["routes.ts", join(root, "src/ambient.d.ts")],
      include: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const output = execFileSync(
      process.execPath,
      [compiler, "-p", folder, "--extendedDiagnostics"],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const read = (label: string): number =>
      Number(new RegExp(`${label}:\\s+([\\d.]+)`).exec(output)?.[1]);
    return { seconds: read("Total time"), instantiations: read("Instantiations") };
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`The routes do not compile:\n${output || error}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
