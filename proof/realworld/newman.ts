import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { root } from "../../scripts/runner/root.ts";

const installedVersion = "6.2.2";

/** The subset of newman's interface used here. */
interface NewmanRun {
  readonly stats: {
    readonly requests: { readonly total: number };
    readonly assertions: { readonly total: number };
  };
  readonly failures: readonly {
    readonly source?: { readonly name?: string };
    readonly error: { readonly test?: string; readonly message: string };
  }[];
}
type Callback = (error: Error | null, summary: { readonly run: NewmanRun }) => void;

/** An installed newman. */
export interface Newman {
  readonly version: string;
  readonly run: (options: object, callback: Callback) => void;
}

/** Loads newman from a folder; default: installs it once. @throws if the folder does not contain it */
export function loadNewman(folder: string | undefined): Newman {
  const home = folder === undefined ? installNewman() : resolve(folder);
  const require = createRequire(join(home, "package.json"));
  const { run } = require("newman") as Pick<Newman, "run">; // see above
  const { version } = require("newman/package.json") as Pick<Newman, "version">;
  return { version, run };
}

function installNewman(): string {
  const folder = join(root, `node_modules/.cache/newman-${installedVersion}`);
  if (existsSync(join(folder, "node_modules/newman/package.json"))) return folder;
  mkdirSync(folder, { recursive: true });
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--no-save"];
  const { status } = spawnSync("npm", ["install", ...flags, `newman@${installedVersion}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm install newman exited with code ${status}.`);
  return folder;
}

/** Counts of one run of the collection. */
export interface CollectionResult {
  readonly requests: number;
  readonly assertions: number;
  readonly failures: readonly string[];
}

/** Runs a collection once. */
export function runCollection(
  newman: Newman,
  { collection, apiUrl }: { readonly collection: string; readonly apiUrl: string },
): Promise<CollectionResult> {
  const globals = {
    APIURL: apiUrl,
    USERNAME: "wren",
    EMAIL: "wren@mail.example",
    PASSWORD: "seven-slow-herons",
  };
  const values = Object.entries(globals).map(([key, value]) => ({ key, value }));
  return new Promise((done, fail) => {
    newman.run({ collection, globals: { values }, timeout: 120_000 }, (error, summary) => {
      if (error) return fail(error);
      const { stats, failures } = summary.run;
      done({
        requests: stats.requests.total,
        assertions: stats.assertions.total,
        failures: failures.map(
          ({ source, error: { test, message } }) => `${source?.name}: ${test ?? message}`,
        ),
      });
    });
  });
}
