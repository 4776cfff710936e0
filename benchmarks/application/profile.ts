import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportUsage } from "../../scripts/runner/usage.ts";
import { installPeers } from "../support/install-peers.ts";
import { ours } from "../support/report.ts";
import type { ApplicationName } from "./applications.ts";
import { loadCase } from "./load-case.ts";
import { parseOptions } from "./options.ts";
import { bundleProcess } from "./runtimes/process-session.ts";
import { profileWorker } from "./runtimes/workerd-session.ts";
import { summariseProfile } from "./summarise-profile.ts";

/**
 * Profiles a framework in one application, on Node and in workerd (`--runtime`): lists the functions
 * with the most self time. Options: `--app` and `--subject`. The profile, for a browser's developer
 * tools, and the bundle that its line numbers refer to are in `.build/profile/`.
 */
const options = await reportUsage(() =>
  parseOptions(process.argv.slice(2), { runtimes: ["node", "workerd"] }),
);
const subject = options.subjects?.[0] ?? ours;
const batches = options.quick ? 1 : 40;
const folder = new URL("../.build/profile/", import.meta.url).pathname;

if (subject !== ours) installPeers(true);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

for (const runtime of options.runtimes) {
  for (const application of options.applications) {
    const { profile, bundleName } =
      runtime === "node" ? await profileNode(application) : await profileWorkerd(application);
    console.log(`\n${subject}, ${application} in ${runtime}`);
    console.log(summariseProfile(profile, bundleName, 40));
  }
}

async function profileNode(application: ApplicationName) {
  const file = join(folder, "frameworks.mjs");
  writeFileSync(file, await bundleProcess("node", subject === ours));
  const caseFile = join(folder, `${application}.json`);
  writeFileSync(caseFile, JSON.stringify(loadCase(application)));
  const name = `${application}.cpuprofile`;
  const flags = ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}`];
  const child = spawn(
    process.execPath,
    [...flags, "--cpu-prof-interval=200", file, caseFile, subject],
    { stdio: ["pipe", "ignore", "inherit"] },
  );
  child.stdin.write(`${JSON.stringify({ kind: "check" })}\n`);
  for (let i = 0; i < batches; i++) {
    child.stdin.write(`${JSON.stringify({ kind: "batch", subject, count: 10_000 })}\n`);
  }
  child.stdin.end();
  await new Promise((resolve) => child.once("exit", resolve));
  if (!readdirSync(folder).includes(name)) throw new Error("The process did not write a profile.");
  return { profile: readFileSync(join(folder, name), "utf8"), bundleName: "frameworks.mjs" };
}

async function profileWorkerd(application: ApplicationName) {
  const { profile, code } = await profileWorker(loadCase(application), subject, batches);
  writeFileSync(join(folder, "index.js"), code);
  writeFileSync(join(folder, `${application}-workerd.cpuprofile`), profile);
  return { profile, bundleName: "index.js" };
}
