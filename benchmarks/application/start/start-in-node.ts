import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ApplicationCase } from "../applications.ts";
import { bundle } from "../runtimes/bundle.ts";
import type { StartTimes } from "./start-times.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../../.build/", import.meta.url));

const mjs = { ".js": ".mjs" };

/** Main file of a fresh process: the processor time of importing a bundle, and of its first response. */
const starter = `
import { readFileSync } from "node:fs";
const { routes, timed } = JSON.parse(readFileSync(process.argv[3], "utf8"));
const { url, expected } = timed[timed.length >> 1];
await new Response(await new Request(url).text()).text(); // Node loads these classes on first use
const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const start = now();
const { create } = await import(process.argv[2]);
const evaluated = now();
const ask = await create(routes);
const body = await ask(url);
const answered = now();
if (body !== expected.body) throw new Error("It answered " + body);
console.log(JSON.stringify({ evaluationMs: evaluated - start, firstMs: answered - evaluated }));
process.exit();
`;

/**
 * Bundles an application, and returns a function that starts it in a fresh process and times it. Lazy
 * imports stay separate files: in a single file, Node would load their modules at once.
 */
export async function prepareStartInNode(
  file: string,
): Promise<(input: ApplicationCase) => Promise<StartTimes>> {
  const appFolder = join(folder, `start-${file}`);
  mkdirSync(appFolder, { recursive: true });
  const code = `export { create } from "./start/apps/${file}.ts";`;
  const options = { minify: true, splitting: true, outdir: appFolder, outExtension: mjs };
  const bundled = await bundle({ code }, "node", options);
  const bundleFile = join(appFolder, "index.mjs");
  writeFileSync(bundleFile, bundled.code);
  for (const [name, text] of bundled.chunks) writeFileSync(join(appFolder, name), text);
  const starterFile = join(folder, "starter.mjs");
  writeFileSync(starterFile, starter);
  return async (input) => {
    const caseFile = join(folder, `start-${input.routes.length}.json`);
    writeFileSync(caseFile, JSON.stringify(input));
    const { stdout } = await run(process.execPath, [starterFile, bundleFile, caseFile]);
    return JSON.parse(stdout) as StartTimes; // printed by the starter
  };
}
