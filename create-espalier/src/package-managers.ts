import { type PackageManager, packageManagers } from "./choices.ts";

interface Commands {
  /** Installs the dependencies. */
  readonly install: string;
  /** Runs a script of package.json, whose name follows. */
  readonly run: string;
  /** Runs a command of an installed package, whose name follows. */
  readonly execute: string;
  readonly lockfile: string;
  /** Installs, in an image of Node, what the application needs to run. */
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
 * The package manager that runs this command, as it tells in `npm_config_user_agent`
 * (`pnpm/10.2.0 npm/? node/v24…`); npm when nothing tells.
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return packageManagers.find((known) => known === name) ?? "npm";
}
