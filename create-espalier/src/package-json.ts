import type { PackageManager, Platform, Project } from "./choices.ts";
import { versions } from "./versions.ts";

type Development = readonly (keyof typeof versions)[];

/** vite is a peer dependency of vitest: Yarn 1 does not install it by itself. */
const development: Readonly<Record<Platform, Development>> = {
  cloudflare: [
    "@biomejs/biome",
    "@cloudflare/workers-types",
    "typescript",
    "vite",
    "vitest",
    "wrangler",
  ],
  node: ["@biomejs/biome", "@types/node", "typescript", "vite", "vitest"],
  deno: ["@biomejs/biome", "vite", "vitest"],
  bun: ["@biomejs/biome", "@types/bun", "typescript", "vite", "vitest"],
};

/** Runtime of a project and its tools. */
const engineOf: Readonly<Record<Platform, { readonly name: string; readonly range: string }>> = {
  // wrangler and vitest run on Node.
  cloudflare: { name: "node", range: ">=22.12" },
  // Node strips the types when it runs the server.
  node: { name: "node", range: ">=22.18" },
  deno: { name: "deno", range: ">=2.5" },
  bun: { name: "bun", range: ">=1.3" },
};

/** Returns the content of the project's package.json. */
export function packageJson(project: Project): string {
  const { name, platform, espalier, packageManager } = project;
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { [engineOf[platform].name]: engineOf[platform].range },
    scripts: {
      ...serveScripts(project),
      test: "vitest run",
      typecheck: typecheck(platform),
      lint: "biome check",
      format: "biome check --write",
    },
    dependencies: { espalier },
    devDependencies: Object.fromEntries(
      development[platform].map((dependency) => [dependency, versions[dependency]]),
    ),
    ...allowedScripts(platform, packageManager),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function serveScripts({ platform, features }: Project): Record<string, string> {
  switch (platform) {
    case "cloudflare":
      return { dev: "wrangler dev", deploy: "wrangler deploy" };
    case "node": {
      const flags = features.has("auth") ? "--env-file-if-exists=.env " : "";
      return {
        dev: `node --watch ${flags}src/server.ts`,
        start: `node ${flags}src/server.ts`,
      };
    }
    case "deno": {
      const flags = `${features.has("auth") ? "--env-file " : ""}--allow-net --allow-env`;
      return {
        dev: `deno run --watch ${flags} src/server.ts`,
        start: `deno run ${flags} src/server.ts`,
      };
    }
    // Bun loads `.env` automatically.
    case "bun":
      return { dev: "bun --watch src/server.ts", start: "bun src/server.ts" };
  }
}

function typecheck(platform: Platform): string {
  return platform === "deno" ? "deno check" : "tsc";
}

/** Install scripts that npm may run without a prompt. */
function allowedScripts(platform: Platform, packageManager: PackageManager): object {
  if (platform !== "cloudflare" || packageManager !== "npm") return {};
  return { allowScripts: { esbuild: true, workerd: true } };
}
