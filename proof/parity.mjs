// Asks the application of proof/parity the same questions on Node, workerd, Deno, Bun and in Chromium's
// service worker. Each must give the status that its case says, and status, headers and bodies as they
// were recorded from Node. Exit code 1 for any difference that is not listed as known.
//
//   node proof/parity.mjs [--record] [--only node,deno] [--json FILE]
//
// The package must have been built. --record writes Node's answers to proof/parity/expectations.jsonl, and
// those of workerd where Node is known to differ: read what has changed there before you commit it.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../test/support/bundle.ts";
import { chromiumPath } from "../test/support/chromium.ts";
import { askCase } from "./parity/ask.ts";
import { allCases, casesByPart } from "./parity/cases/all.ts";
import { canPageAsk } from "./parity/chromium.ts";
import { readExpectations, writeExpectations } from "./parity/expectations.ts";
import { judge } from "./parity/judge.ts";
import { findKnownDifference, knownDifferences } from "./parity/known-differences.ts";
import { platformNames, startPlatform } from "./parity/platforms.ts";

const { values: options } = parseArgs({
  options: {
    record: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const names = options.only?.split(",") ?? platformNames;
/** All answers of one platform by the titles of the cases. */
async function askAll(name) {
  const platform = await startPlatform(name);
  const answers = {};
  try {
    for (const one of allCases) answers[one.title] = await askCase(platform, one);
  } finally {
    await platform.stop();
  }
  return answers;
}

const wrongStatus = (one, answers) => answers.at(-1).status !== one.status;

function versionOf(name) {
  const ask = (file, ...args) =>
    execFileSync(file, args, { encoding: "utf8" }).split("\n")[0].trim();
  const bin = (program) => join(root, "node_modules", ".bin", program);
  if (name === "node") return `Node ${process.versions.node}`;
  if (name === "chromium") return ask(chromiumPath, "--version");
  return ask(bin(name), "--version");
}

if (options.record) {
  const [answers, others] = [await askAll("node"), await askAll("workerd")];
  for (const { title } of allCases) {
    if (findKnownDifference("node", title) !== undefined) answers[title] = others[title];
  }
  for (const one of allCases.filter((each) => wrongStatus(each, answers[each.title]))) {
    console.log(`${one.title}: ${answers[one.title].at(-1).status}, and should be ${one.status}`);
    process.exitCode = 1;
  }
  const recorded = allCases.filter(({ isRecorded }) => isRecorded !== false);
  writeExpectations(Object.fromEntries(recorded.map(({ title }) => [title, answers[title]])));
  console.log(`Recorded ${allCases.length} cases.`);
} else {
  await compareAll();
}

async function compareAll() {
  const expectations = readExpectations();
  const ofNode = await askAll("node");
  const counts = {};
  const faults = [];
  for (const name of names) {
    const answers = name === "node" ? ofNode : await askAll(name);
    for (const one of allCases) {
      const source = one.isRecorded === false ? ofNode : expectations;
      const expected = source[one.title] ?? [];
      const verdict = judge(name, one.title, expected, answers[one.title]);
      counts[name] ??= { same: 0, known: 0, different: 0, stale: 0 };
      counts[name][verdict.kind] += 1;
      const isWrong = wrongStatus(one, expected.length === 0 ? answers[one.title] : expected);
      if (isWrong)
        faults.push(`${name}: ${one.title}\n      the recorded status is not ${one.status}`);
      if (verdict.kind === "stale") faults.push(`${name}: ${one.title}\n      differs no more`);
      if (verdict.kind === "different") {
        faults.push(`${name}: ${one.title}\n      ${verdict.differences.join("\n      ")}`);
      }
    }
  }
  console.log(
    `${allCases.length} cases, ${allCases.flatMap(({ calls }) => calls).length} requests:`,
  );
  for (const [part, list] of Object.entries(casesByPart)) console.log(`  ${list.length} ${part}`);
  const byPage = allCases.filter(({ calls }) => calls.every(canPageAsk)).length;
  console.log(
    `In Chromium a page asks ${byPage} of the cases; the others, which no page may send or see,`,
  );
  console.log("the worker asks itself.");
  console.log("\n| platform | version | same | known difference | different |");
  console.log("| --- | --- | --- | --- | --- |");
  const rows = names.map((name) => ({ name, version: versionOf(name), ...counts[name] }));
  for (const { name, version, same, known, different, stale } of rows) {
    console.log(`| ${name} | ${version} | ${same} | ${known} | ${different + stale} |`);
  }
  console.log("\nKnown differences:");
  for (const { platforms, reason, titles, isOurs } of knownDifferences) {
    const whose = isOurs ? "ours as well: " : "";
    console.log(`  ${platforms.join(", ")}: ${whose}${reason} (${titles.length})`);
  }
  if (faults.length > 0) console.log(`\nDifferences:\n  ${faults.join("\n  ")}`);
  if (options.json !== undefined)
    writeFileSync(options.json, JSON.stringify({ rows, faults }, null, 2));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
