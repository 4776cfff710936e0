import type { Target } from "../hostile/target.ts";
import { Finding } from "../support/finding.ts";
import { createLimitedApplication } from "./application.ts";
import { countPulledBytes, type Pulled } from "./count-pulled-bytes.ts";
import { slackBytes } from "./prove-body-limit.ts";

/** Passes endless streams to the application, and checks the number of bytes read before it rejects them. */
export async function provePulledBytes(where: Target | "in process"): Promise<Finding> {
  const finding = new Finding("endless streams, counted");
  let most = 0;
  for (const { title, status, limit, pulledBytes } of await measure(where)) {
    finding.tried += 1;
    most = Math.max(most, pulledBytes - limit);
    finding.check(status === 413, `answered ${status}`, title);
    finding.check(pulledBytes <= limit + slackBytes, `pulled ${pulledBytes}`, title);
  }
  finding.count("most bytes read beyond a limit", most);
  return finding;
}

async function measure(where: Target | "in process"): Promise<readonly Pulled[]> {
  if (where !== "in process") {
    const response = await fetch(`http://127.0.0.1:${where.port}/pulled`);
    return (await response.json()) as Pulled[]; // by worker.ts
  }
  const app = createLimitedApplication();
  return countPulledBytes((request) => app.fetch(request), [undefined, "5", "19999"]);
}
