import type { Project } from "./choices.ts";

/** Packages whose install scripts may run: those of the tools, which fetch or check their binary. */
const trusted = ["esbuild", "workerd"];

/** Returns the configuration files of the project's package manager by path. */
export function packageManagerFiles({ packageManager }: Project): ReadonlyMap<string, string> {
  switch (packageManager) {
    case "pnpm":
      // pnpm 11 and later fail an installation with install scripts that are neither allowed nor forbidden.
      return new Map([["pnpm-workspace.yaml", pnpmWorkspace()]]);
    case "yarn":
      // Ignored by Yarn 1. Without it, later versions install no node_modules, which editors and tools expect.
      return new Map([[".yarnrc.yml", "nodeLinker: node-modules\n"]]);
    default:
      return new Map();
  }
}

function pnpmWorkspace(): string {
  const allowed = trusted.map((name) => `  ${name}: true\n`).join("");
  // Before 10.26.
  const listed = trusted.map((name) => `  - ${name}\n`).join("");
  return `allowBuilds:\n${allowed}onlyBuiltDependencies:\n${listed}`;
}
