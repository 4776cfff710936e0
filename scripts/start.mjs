// Serves the example on workerd, with KV and queue simulated in this folder. Nothing leaves the machine.
import { spawn } from "node:child_process";

const environment = {
  ...process.env,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};
const wrangler = spawn(
  process.execPath,
  [
    "node_modules/wrangler/bin/wrangler.js",
    "dev",
    "--ip",
    "127.0.0.1",
    "--port",
    process.env.PORT ?? "8787",
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", env: environment },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => wrangler.kill(signal));
wrangler.on("exit", (code) => process.exit(code ?? 0));
