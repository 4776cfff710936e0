// Mutates multipart forms and constraints of parameters for some minutes each, keeps what makes the parsers do
// something new, and compares the results with those of references. A fault shows the input. A run with the
// same seed tries the same inputs in the same order; the number of them depends on the machine.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import { fuzzConstraints } from "./fuzz-constraints.ts";
import { fuzzMultipart } from "./fuzz-multipart.ts";

const minuteMs = 60_000;
const quickMs = 10_000;

const parts = {
  multipart: { title: "multipart forms", fuzz: fuzzMultipart },
  constraints: { title: "constraints of parameters", fuzz: fuzzConstraints },
};
const names = Object.keys(parts) as (keyof typeof parts)[];

const types = { minutes: "string", seed: "string", only: "string" } as const;

await runProof("fuzz", types, async (proof, options) => {
  const isLimited = options.minutes !== undefined || !proof.isQuick;
  const durationMs = isLimited ? readCount("--minutes", options.minutes, 30) * minuteMs : quickMs;
  const seed = readCount("--seed", options.seed, Date.now() % 2 ** 31);
  proof.addDetails({ seed });
  for (const name of readChoices("--only", options.only, names)) {
    const { title, fuzz } = parts[name];
    const finding = new Finding(title);
    await fuzz(finding, seed, performance.now() + durationMs);
    proof.addFinding(finding, "node");
  }
});
