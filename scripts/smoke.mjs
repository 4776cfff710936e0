// Installs the packed framework as a user would, and tests it with the Node that runs this script.
//
//   npm pack && node scripts/smoke.mjs espalier-0.1.0.tgz
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [tarball] = process.argv.slice(2);
if (tarball === undefined) throw new Error("Pass the tarball written by `npm pack`.");

const application = `
import { Application, json } from "espalier";
const app = new Application({ host: "127.0.0.1" });
const router = app.getRouter();
router.get("/hello/:name", (ctx) => json({ hello: ctx.params.name, engine: router.matcher.engine }));
const { url } = await app.listen({ port: 0 });
const response = await fetch(url + "hello/world");
console.log(await response.text());
await app.stop();
`;
const expected = '{"hello":"world","engine":"wasm"}';

const folder = mkdtempSync(join(tmpdir(), "espalier-smoke-"));
const run = (command, args) =>
  execFileSync(command, args, { cwd: folder, encoding: "utf8", timeout: 120_000 }).trim();
try {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, "hello.js"), application);
  run("npm", ["install", "--no-audit", "--no-fund", resolve(tarball)]);
  const answer = run(process.execPath, ["hello.js"]);
  if (answer !== expected) throw new Error(`Expected ${expected}, and got ${answer}`);
  const help = run(join(folder, "node_modules/.bin/espalier"), ["--help"]);
  if (!help.includes("routes")) throw new Error(`espalier --help said: ${help}`);
  console.log(`Node ${process.version}: ${answer}, and the command works`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
