// Sends 1,000 bodies to an application with small limits: lengths that are correct, too small, too large
// and huge, chunks of every size, slow, endless, multipart and compressed bodies. Above the limit no
// handler may run, and at most the limit and 64 KiB may be read of a body.
import { readChoices, readCount } from "../../scripts/runner/usage.ts";
import { runProof } from "../support/run-proof.ts";
import { startBodyLimitTarget } from "./body-limit-target.ts";
import { proveBodyLimit } from "./prove-body-limit.ts";
import { provePulledBytes } from "./prove-pulled-bytes.ts";

const types = { cases: "string", seed: "string", runtime: "string" } as const;

await runProof("body-limit", types, async (proof, options) => {
  const cases = readCount("--cases", options.cases, proof.isQuick ? 95 : 1_000);
  const seed = readCount("--seed", options.seed, 20_261_128);
  const runtimes = readChoices("--runtime", options.runtime, ["node", "workerd"]);
  proof.addDetails({ seed });
  proof.addFinding(await provePulledBytes("in process"), "in process");
  for (const runtime of runtimes) {
    const target = await startBodyLimitTarget(runtime);
    try {
      proof.addFinding(await proveBodyLimit(target, { cases, seed }), runtime);
      if (runtime === "workerd") proof.addFinding(await provePulledBytes(target), runtime);
    } finally {
      await target.stop();
    }
  }
});
