import { spawn } from "node:child_process";

const timeoutMs = 600_000;

/** Environment for non-interactive commands: no colours, telemetry or prompts. */
export const environment = {
  ...process.env,
  CI: "1",
  NO_COLOR: "1",
  DENO_NO_UPDATE_CHECK: "1",
  // Uses npm's cache for packages downloaded before.
  npm_config_prefer_offline: "true",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
};

/** Runs a command and returns its output; rejects with the output if it fails. */
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
