import { Agent, request } from "node:http";
import { startWorkerd } from "../../test/support/workerd.ts";
import { findWorkerd, processorMs } from "../soak/find-workerd.ts";

/** Processor time of workerd per request, in milliseconds. */
export interface RequestCpu {
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** 95th percentile of the quietest tenth of the run: other load only makes requests slower. */
  readonly quietestP95: number;
}

/**
 * Posts JSON to one of 1,000 routes sequentially over a socket, and measures the processor time of workerd's
 * threads, including HTTP parsing and garbage collection.
 */
export async function measureRequestCpu(requests: number): Promise<RequestCpu> {
  const mf = await startWorkerd("proof/worker-costs/worker.ts", { hasOwnSocket: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const port = Number((await mf.unsafeGetDirectURL()).port);
    const id = findWorkerd();
    const times: number[] = [];
    // Warm-up: the engine compiles hot code.
    for (let index = -500; index < requests; index += 1) {
      const before = processorMs(id);
      await echo(port, agent, (index + 500) % 100, index);
      if (index >= 0) times.push(processorMs(id) - before);
    }
    const length = Math.ceil(times.length / 10);
    const tenths = Array.from({ length: 10 }, (_, at) =>
      times.slice(at * length, (at + 1) * length),
    ).filter((tenth) => tenth.length > 0);
    return {
      requests,
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      p99: percentile(times, 0.99),
      quietestP95: Math.min(...tenths.map((tenth) => percentile(tenth, 0.95))),
    };
  } finally {
    agent.destroy();
    await mf.dispose();
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

function echo(port: number, agent: Agent, area: number, index: number): Promise<void> {
  const body = JSON.stringify({ title: `Book ${index}`, tags: ["a", "b"], pages: 320 });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const path = `/api/area${area}/x${index}/kind${area % 5}`;
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, agent, method: "POST", path, headers });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        const wanted = `{"id":"x${index}","body":${body}}`;
        if (text === wanted) resolve();
        else reject(new Error(`${path} answered ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.end(body);
  });
}
