import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { root } from "../../scripts/runner/root.ts";

/** An application in a separate process. */
export interface RunningApplication {
  /** Origin with a trailing slash. */
  readonly url: string;
  /** Access token of a user with all permissions. */
  readonly token: string;
  stop(): void;
}

/** Embeds the bytes of the router, as the build of the package does. */
const routerBytes: Plugin = {
  name: "router-bytes",
  setup(context) {
    context.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
    context.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({
      contents: readFileSync(join(root, "router-wasm/pkg/router.wasm")).toString("base64"),
      loader: "text",
    }));
  },
};

/** Bundles an application from the sources into a folder, and serves it on a free port. */
export async function startApplication(name: string, folder: string): Promise<RunningApplication> {
  const file = join(folder, "server.mjs");
  await build({
    entryPoints: [join(root, "proof/openapi/server.ts")],
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
  const child = spawn(process.execPath, [file, name, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const [, url, token] = /^listening (\S+) (\S+)$/m.exec(output) ?? [];
      if (url === undefined || token === undefined) return;
      resolve({ url, token, stop: () => child.kill() });
    });
    child.on("exit", (code) =>
      reject(new Error(`The application exited with code ${code}: ${output}`)),
    );
  });
}
