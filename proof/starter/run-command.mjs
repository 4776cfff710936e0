import { spawn } from "node:child_process";

const timeoutMs = 180_000;

/** The environment of whoever has just installed this: no colours, no telemetry, no questions. */
export const environment = {
  ...process.env,
  CI: "1",
  NO_COLOR: "1",
  DENO_NO_UPDATE_CHECK: "1",
  // What was downloaded once is taken from npm's cache.
  npm_config_prefer_offline: "true",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Runs a command to its end and gives what it printed; rejects with that when it fails. */
export function runCommand(cwd, command, words) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const child = spawn(command, words, {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  child.once("error", reject);
  child.once("close", (code, signal) => {
    if (code === 0) resolve(output);
    else
      reject(new Error(`${command} ${words.join(" ")} ended with ${code ?? signal}:\n${output}`));
  });
  return promise;
}
