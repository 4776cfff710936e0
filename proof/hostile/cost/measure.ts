import { Application, noContent } from "espalier";
import { type BodyKind, bodyKinds } from "./bodies.ts";

/** Processor time of a dense body in proportion to a benign one of the same size. */
export interface Cost {
  readonly kind: string;
  readonly dense: string;
  readonly bodies: number;
  /** Median of the rounds. */
  readonly ratio: number;
  readonly benignMicroseconds: number;
  readonly status: number;
}

/** Bodies of one round; the median of the rounds is robust against garbage collection and other work. */
const bodiesOfRound = 10;

/** Measures every kind of body, interleaved with benign ones, in this process. */
export async function measureCosts(bodiesOfEach: number, bytes: number): Promise<Cost[]> {
  const app = new Application();
  app.getRouter().post("/", () => noContent());
  await app.boot();
  const costs: Cost[] = [];
  for (const kind of bodyKinds) {
    const benign = kind.benign(bytes);
    for (const [name, make] of Object.entries(kind.dense)) {
      const dense = make(bytes);
      // The same number of bytes, where the dense body is limited by the number of parts.
      const factor = benign.length / dense.length;
      const ratios: number[] = [];
      const benignCosts: number[] = [];
      let status = 0;
      const rounds = Math.max(3, Math.round(bodiesOfEach / bodiesOfRound));
      for (let round = -2; round < rounds; round += 1) {
        const benignMs = await processorMs(app, kind, benign);
        const denseMs = await processorMs(app, kind, dense);
        if (round < 0) continue; // until the engine has compiled what is used
        ratios.push((denseMs / benignMs) * Math.max(1, factor));
        benignCosts.push((benignMs / bodiesOfRound) * 1_000);
      }
      status = (await post(app, kind, dense)).status;
      costs.push({
        kind: kind.name,
        dense: name,
        bodies: rounds * bodiesOfRound,
        ratio: Number(median(ratios).toFixed(2)),
        benignMicroseconds: Math.round(median(benignCosts)),
        status,
      });
    }
  }
  return costs;
}

async function processorMs(
  app: Application,
  kind: BodyKind,
  body: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const { process } = globalThis;
  const before = process.cpuUsage();
  for (let at = 0; at < bodiesOfRound; at += 1) await post(app, kind, body);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function post(
  app: Application,
  { contentType }: BodyKind,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const headers = { "content-type": contentType };
  return app.fetch(new Request("http://localhost/", { method: "POST", headers, body }));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
