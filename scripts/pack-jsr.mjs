// Assembles the package for JSR, with the sources and the router's bytes as a module, and checks it with Deno
// without publishing it.
//
//   node scripts/pack-jsr.mjs [FOLDER]
//
// FOLDER must not exist; default: a temporary folder, which is removed.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { positionals } = parseArgs({ allowPositionals: true });
const [target] = positionals;
if (positionals.length > 1) throw new Error("Expected at most one folder.");
if (target !== undefined && existsSync(target)) throw new Error(`The folder "${target}" exists.`);

const root = fileURLToPath(new URL("..", import.meta.url));
const folder =
  target === undefined ? mkdtempSync(join(tmpdir(), "espalier-jsr-")) : resolve(target);
try {
  mkdirSync(folder, { recursive: true });
  const { include } = JSON.parse(readFileSync(join(root, "jsr.json"), "utf8")).publish;
  // The command line is part of the npm package only.
  const isShipped = (source) => source !== join(root, "src/cli");
  for (const name of include) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isShipped });
  }
  const bytes = readFileSync(join(root, "router-wasm/pkg/router.wasm")).toString("base64");
  writeFileSync(
    join(folder, "src/routing/wasm/router-base64.ts"),
    `const base64: string = ${JSON.stringify(bytes)};\nexport default base64;\n`,
  );
  inlineFrameworkTypes(join(folder, "src"));
  // Checks types again with Deno's globals, which differ from Node's.
  const deno = join(root, "node_modules/.bin/deno");
  const { status } = spawnSync(deno, ["publish", "--dry-run", "--allow-dirty"], {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
  });
  process.exitCode = status ?? 1;
} finally {
  if (target === undefined) rmSync(folder, { recursive: true, force: true });
}

/**
 * JSR does not support module augmentation. On JSR, lower layers import the types that higher layers add to
 * `register.ts` in the sources, so `ctx.app` of `espalier/core` has the type of the full application.
 */
function inlineFrameworkTypes(source) {
  const augmentation = /\ndeclare module "[./]+register\.ts" \{\n(?:[^}]*\}){2}\n/;
  for (const name of [
    "application/application.ts",
    "application/base-application.ts",
    "http/context.ts",
  ]) {
    const file = join(source, name);
    const text = readFileSync(file, "utf8");
    const inlined = text.replace(augmentation, "");
    if (inlined === text) throw new Error(`${name} adds no type to register.ts.`);
    writeFileSync(file, inlined);
  }
  const register = join(source, "register.ts");
  const text = readFileSync(register, "utf8");
  const inlined = text
    .replace(
      /export type FrameworkApplication =[^;]+;/,
      'export type FrameworkApplication = import("./application/application.ts").Application;',
    )
    .replace(
      /export type FrameworkContext =[^;]+;/,
      'export type FrameworkContext = import("./http/context.ts").RequestContext;',
    );
  writeFileSync(register, inlined);
}
