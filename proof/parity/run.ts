// Sends the same requests to the application of this folder on Node, workerd, Deno, Bun and in Chromium's
// service worker. Each response must have the status that its case names, and the status, headers and body
// that were recorded from Node. Fails for a difference that is not listed as known.
//
// --record writes Node's responses to expectations.jsonl, and those of workerd where Node is known to
// differ: review the changes there before you commit them.
import { execFileSync } from "node:child_process";
import { readChoices } from "../../scripts/runner/usage.ts";
import { chromiumPath } from "../../test/support/chromium.ts";
import { type Proof, runProof } from "../support/run-proof.ts";
import { type AnswersByTitle, askAll, hasExpectedStatus } from "./ask-all.ts";
import { allCases, casesByPart } from "./cases/all.ts";
import { canPageAsk } from "./chromium.ts";
import { readExpectations } from "./expectations.ts";
import { judge, type Verdict } from "./judge.ts";
import { knownDifferences } from "./known-differences.ts";
import { type PlatformName, platformNames } from "./platforms.ts";
import { recordExpectations } from "./record.ts";

await runProof("parity", { record: "boolean", runtime: "string" }, async (proof, options) => {
  if (options.record) {
    const faults = await recordExpectations();
    proof.add({ case: "recorded", runtime: "node", tried: allCases.length, unit: "cases", faults });
    return;
  }
  describeCases();
  const expectations = readExpectations();
  const ofNode = await askAll("node");
  for (const name of chooseRuntimes(proof, options.runtime)) {
    const answers = name === "node" ? ofNode : await askAll(name);
    addPlatform(proof, name, answers, { expectations, ofNode });
  }
  console.log("\nKnown differences:");
  for (const { platforms, reason, titles } of knownDifferences) {
    console.log(`  ${platforms.join(", ")}: ${reason} (${titles.length})`);
  }
});

/** Leaves out Chromium where it is not installed, unless it was asked for. */
function chooseRuntimes(proof: Proof, value: string | undefined): readonly PlatformName[] {
  const usual = proof.isQuick ? (["node", "workerd"] as const) : platformNames;
  const chosen = readChoices("--runtime", value, platformNames, usual);
  if (!chosen.includes("chromium")) return chosen;
  if (chromiumPath !== undefined) {
    const version = execFileSync(chromiumPath, ["--version"], { encoding: "utf8" });
    proof.addVersion("chromium", version.trim());
    return chosen;
  }
  if (value !== undefined) return chosen;
  proof.addDetails({ skipped: ["chromium is not installed"] });
  console.log("Skipped on chromium, which is not installed.\n");
  return chosen.filter((name) => name !== "chromium");
}

interface Expected {
  readonly expectations: AnswersByTitle;
  readonly ofNode: AnswersByTitle;
}

function addPlatform(
  proof: Proof,
  runtime: PlatformName,
  answers: AnswersByTitle,
  { expectations, ofNode }: Expected,
): void {
  const counts: Record<Verdict["kind"], number> = { same: 0, known: 0, different: 0, stale: 0 };
  const faults: string[] = [];
  for (const one of allCases) {
    const { title } = one;
    const expected = (one.isRecorded === false ? ofNode : expectations)[title] ?? [];
    const actual = answers[title] ?? [];
    const { kind, differences } = judge(runtime, title, expected, actual);
    counts[kind] += 1;
    if (!hasExpectedStatus(one, expected.length === 0 ? actual : expected)) {
      faults.push(`${title}: the recorded status is not ${one.status}`);
    }
    if (kind === "stale") faults.push(`${title}: no longer differs, but is listed as known`);
    if (kind === "different") faults.push(`${title}: ${differences.join("\n      ")}`);
  }
  proof.add({ case: "all", runtime, tried: allCases.length, unit: "cases", more: counts, faults });
}

function describeCases(): void {
  const requests = allCases.flatMap(({ calls }) => calls).length;
  console.log(`${allCases.length} cases, ${requests} requests:`);
  for (const [part, cases] of Object.entries(casesByPart)) console.log(`  ${cases.length} ${part}`);
  const byPage = allCases.filter(({ calls }) => calls.every(canPageAsk)).length;
  console.log(
    `In Chromium a page sends ${byPage} of the cases; the others, which a page may not send or see, ` +
      "are sent inside the service worker.\n",
  );
}
