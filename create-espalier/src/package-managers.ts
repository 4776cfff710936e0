import { type PackageManager, packageManagers } from "./choices.ts";

interface Commands {
  /** Installs the dependencies. */
  readonly install: string;
  /** Prefix that runs a script of package.json. */
  readonly run: string;
  /** Prefix that runs a command of an installed package. */
  readonly execute: string;
  readonly lockfile: string;
  /** Installs the production dependencies in a Node image. */
  readonly installProduction: string;
}

export const commandsOf: Readonly<Record<PackageManager, Commands>> = {
  npm: {
    install: "npm install",
    run: "npm run",
    execute: "npx",
    lockfile: "package-lock.json",
    installProduction: "npm ci --omit=dev",
  },
  pnpm: {
    install: "pnpm install",
    run: "pnpm run",
    execute: "pnpm exec",
    lockfile: "pnpm-lock.yaml",
    installProduction: "npm install --global pnpm && pnpm install --prod --frozen-lockfile",
  },
  yarn: {
    install: "yarn install",
    run: "yarn run",
    execute: "yarn exec",
    lockfile: "yarn.lock",
    installProduction: "yarn install --production --frozen-lockfile",
  },
  bun: {
    install: "bun install",
    run: "bun run",
    execute: "bunx",
    lockfile: "bun.lock",
    installProduction: "npm install --global bun && bun install --production --frozen-lockfile",
  },
  deno: {
    install: "deno install",
    run: "deno task",
    execute: "deno x",
    lockfile: "deno.lock",
    installProduction: "npm install --omit=dev",
  },
};

/**
 * Detects the package manager that runs this command from `npm_config_user_agent`
 * (`pnpm/10.2.0 npm/? node/v24…`); defaults to npm.
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return packageManagers.find((known) => known === name) ?? "npm";
}
