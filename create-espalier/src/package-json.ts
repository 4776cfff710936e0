import type { PackageManager, Platform, Project } from "./choices.ts";
import { versions } from "./versions.ts";

type Development = readonly (keyof typeof versions)[];

const development: Readonly<Record<Platform, Development>> = {
  cloudflare: ["@cloudflare/workers-types", "typescript", "vitest", "wrangler"],
  node: ["@types/node", "typescript", "vitest"],
  deno: ["vitest"],
  bun: ["@types/bun", "typescript", "vitest"],
};

/** Returns the content of the project's package.json. */
export function packageJson(project: Project): string {
  const { name, platform, espalier, packageManager } = project;
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    // Node strips the types when it runs the server.
    ...(platform === "node" && { engines: { node: ">=22.18" } }),
    scripts: { ...serveScripts(project), test: "vitest run", typecheck: typecheck(platform) },
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
