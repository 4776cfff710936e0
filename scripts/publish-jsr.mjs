// Puts the package together as JSR wants it, sources and the router's bytes as a module, and publishes it.
//
//   node scripts/publish-jsr.mjs [--dry-run]
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "espalier-jsr-"));

try {
  const { include } = JSON.parse(readFileSync(join(root, "jsr.json"), "utf8")).publish;
  // The command line is a program of npm's package alone.
  const isShipped = (source) => source !== join(root, "src/cli");
  for (const name of include) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isShipped });
  }
  const bytes = readFileSync(join(root, "router-wasm/pkg/router.wasm")).toString("base64");
  writeFileSync(
    join(folder, "src/routing/wasm/router-base64.ts"),
    `const base64: string = ${JSON.stringify(bytes)};\nexport default base64;\n`,
  );
  // Types are checked once more, beside the globals of Deno, which are others than Node's.
  const flags = ["--allow-dirty", ...(values["dry-run"] ? ["--dry-run"] : [])];
  const { status } = spawnSync(join(root, "node_modules/.bin/deno"), ["publish", ...flags], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
