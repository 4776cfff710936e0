// Executes docs/guide/tutorial.md: writes each file that it shows, and runs each command as it is written, in a new
// folder. The packages of this repository come from a registry on the loopback interface; all others from the
// registry of npm's configuration.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "../../scripts/runner/root.ts";
import { codeBlocks } from "../../test/docs/code-blocks.ts";
import { environment, runCommand } from "../starter/run-command.mjs";
import { packPackage } from "../support/pack-package.ts";
import { type Proof, runProof } from "../support/run-proof.ts";
import { serveTarballs } from "../support/serve-tarballs.ts";
import { startDevServer } from "./start-dev-server.ts";

/** Folder that the first command creates. */
const projectName = "bookmarks";

/** Texts that commands must print, by a part of the command. */
const expected: Readonly<Record<string, string>> = {
  "client.ts": "added https://example.org/\nannounced true",
  doctor: "bindings declared in Env exist",
  "--dry-run": "--dry-run: exiting now.",
};

await runProof("tutorial", {}, async (proof) => {
  const folder = await mkdtemp(join(tmpdir(), "espalier-tutorial-"));
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  Object.assign(environment, { PATH: path });
  await runCommand(root, process.execPath, ["create-espalier/build.mjs"]);
  const tarballs = new Map<string, string>();
  for (const source of [root, join(root, "create-espalier")]) {
    tarballs.set(source, await packPackage(source, folder));
  }
  const registry = await serveTarballs(tarballs);
  // At a terminal, npm asks before it runs a package for the first time.
  Object.assign(environment, { npm_config_registry: registry.url, npm_config_yes: "true" });
  try {
    await follow(proof, folder);
  } finally {
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Follows the page, and stops at the first step that fails. */
async function follow(proof: Proof, folder: string): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  let current = folder;
  try {
    for (const { language, text, line } of codeBlocks("docs/guide/tutorial.md")) {
      const title = `tutorial.md:${line}`;
      try {
        if (language !== "sh") await writeShownFile(current, text);
        else if (text.trim() === "npm run dev") stops.push(await startDevServer(current));
        else current = await runShell(current, text);
        proof.add({ case: title, runtime: "node", tried: 1, unit: "steps" });
      } catch (error) {
        proof.add({
          case: title,
          runtime: "node",
          tried: 1,
          unit: "steps",
          faults: [String(error)],
        });
        return;
      }
    }
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Writes a block to the file that its first line names. */
async function writeShownFile(folder: string, text: string): Promise<void> {
  const [, name] = /^(?:\/\/|--) (\S+)\n/.exec(text) ?? [];
  if (name === undefined) throw new Error(`The block names no file: ${text}`);
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text.slice(text.indexOf("\n") + 1));
}

/** Runs the commands of a block in one shell, and returns the folder of the next one. */
async function runShell(folder: string, text: string): Promise<string> {
  const output: string = await runCommand(folder, "sh", ["-ec", text]);
  for (const [part, wanted] of Object.entries(expected)) {
    if (text.includes(part) && !output.includes(wanted)) {
      throw new Error(`${text} must print ${JSON.stringify(wanted)}, got: ${output}`);
    }
  }
  return text.includes(`cd ${projectName}`) ? join(folder, projectName) : folder;
}
