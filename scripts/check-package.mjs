// Runs all checks of the two packages before publication, sequentially. Requires `npm run build` and
// `npm run build:starter`.
import { spawnSync } from "node:child_process";
import { delimiter, resolve } from "node:path";

const checks = [
  ["publint", "--strict"],
  ["publint", "--strict", "create-espalier"],
  ["attw", "--pack", ".", "--profile", "esm-only", "--exclude-entrypoints", "./router.wasm"],
  ["knip", "--no-progress", "--no-config-hints"],
  ["node", "scripts/check-files.mjs"],
  ["node", "scripts/check-licences.mjs"],
  ["node", "scripts/check-jsr.mjs"],
  ["node", "scripts/pack-jsr.mjs"],
  ["node", "scripts/check-size.mjs"],
];
const PATH = [resolve("node_modules/.bin"), process.env.PATH].join(delimiter);

const failed = [];
for (const [command, ...args] of checks) {
  const line = [command, ...args].join(" ");
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, PATH },
  });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${line}`);
  if (status === 0) continue;
  failed.push(line);
  console.error(stdout + stderr);
}
if (failed.length > 0) {
  console.error(`${failed.length} of ${checks.length} checks of the package failed.`);
  process.exitCode = 1;
}
