// Sends frames of every kind that RFC 6455 allows and forbids to an application that returns each message, on
// every runtime. Known deviations of the runtimes, which no application can change, are in known-deviations.ts.
import { readChoices } from "../../scripts/runner/usage.ts";
import { startServerProcess } from "../../test/support/server-process.ts";
import { startWorkerd } from "../../test/support/workerd.ts";
import { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import type { FrameCase } from "./frame-case.ts";
import { controlCases, fragmentCases, lengthCases, reservedCases } from "./framing-cases.ts";
import { findFault } from "./judge.ts";
import { isKnown, type Runtime, runtimes } from "./known-deviations.ts";
import { runCase } from "./run-case.ts";
import { bombCase, closeCases, compressionCases, limitCases, utf8Cases } from "./text-cases.ts";

const atOnce = 8;

const cases: readonly FrameCase[] = [
  ...lengthCases(),
  ...controlCases(),
  ...reservedCases(),
  ...fragmentCases(),
  ...utf8Cases(),
  ...closeCases(),
  ...limitCases(),
  ...compressionCases(),
  bombCase(),
];

await runProof("websocket-frames", { runtime: "string" }, async (proof, options) => {
  for (const runtime of readChoices("--runtime", options.runtime, runtimes)) {
    const server = await startServer(runtime);
    try {
      // Every third case, so that each group is part of the short form.
      const chosen = proof.isQuick ? cases.filter((_, at) => at % 3 === 0) : cases;
      for (const finding of await tryCases(runtime, server.port, chosen)) {
        proof.addFinding(finding, runtime);
      }
    } finally {
      await server.stop();
    }
  }
});

interface Server {
  readonly port: number;
  readonly stop: () => Promise<unknown>;
}

async function startServer(runtime: Runtime): Promise<Server> {
  if (runtime === "workerd") {
    const mf = await startWorkerd("proof/websocket-frames/worker.ts", { hasOwnSocket: true });
    const { port } = await mf.unsafeGetDirectURL();
    return { port: Number(port), stop: () => mf.dispose() };
  }
  const server = await startServerProcess("proof/websocket-frames/listen.ts", runtime);
  return { port: Number(new URL(server.url).port), stop: () => server.stop() };
}

/** Runs cases, several at once, and returns a finding for each group. */
async function tryCases(
  runtime: Runtime,
  port: number,
  chosen: readonly FrameCase[],
): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  const waiting = [...chosen];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const found = await runCase(port, next);
      const fault = findFault(next, found);
      const finding = findings.get(next.group) ?? new Finding(next.group);
      findings.set(next.group, finding);
      finding.tried += 1;
      if (next.extension !== undefined) finding.count(found.isCompressed ? "compressed" : "plain");
      if (fault === undefined) continue;
      if (isKnown(runtime, next, fault)) finding.count("known deviations");
      else finding.fault(fault, next.title);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return [...findings.values()].sort((a, b) => a.title.localeCompare(b.title));
}
