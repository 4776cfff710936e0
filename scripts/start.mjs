// Builds the package and serves the example on workerd, with KV and Queues simulated locally.
import { spawn, spawnSync } from "node:child_process";

const build = spawnSync(
  process.execPath,
  ["node_modules/rollup/dist/bin/rollup", "-c", "--silent"],
  {
    stdio: "inherit",
  },
);
if (build.status !== 0) process.exit(build.status ?? 1);

const options = process.argv.slice(2);
const hasPort = options.some((option) => /^--port(=|$)/.test(option));
const port = hasPort ? [] : ["--port", process.env.PORT ?? "8787"];
const wrangler = spawn(
  process.execPath,
  ["node_modules/wrangler/bin/wrangler.js", "dev", "--ip", "127.0.0.1", ...port, ...options],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_HIDE_BANNER: "true",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
  },
);
// Forwards signals to the server, which would otherwise keep running.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => wrangler.kill(signal));
wrangler.on("exit", (code) => process.exit(code ?? 0));
