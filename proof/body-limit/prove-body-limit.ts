import { Random } from "../../test/support/random.ts";
import type { Target } from "../hostile/target.ts";
import { Finding } from "../support/finding.ts";
import type { BodyCase } from "./body-case.ts";
import { makeCases } from "./make-cases.ts";
import { type CaseAnswer, sendCase } from "./send-case.ts";

/** Bytes of a body beyond the limit that may be in memory. */
export const slackBytes = 65_536;
const atOnce = 16;

/**
 * Sends bodies in many framings: above the limit no handler runs, each gets the expected response, and Node
 * reads at most the limit and 64 KiB from the connection.
 */
export async function proveBodyLimit(
  target: Target,
  { cases: count, seed }: { readonly cases: number; readonly seed: number },
): Promise<Finding> {
  const finding = new Finding("framings around the limit");
  const cases = makeCases(new Random(seed), count);
  const answers = new Map<string, CaseAnswer>();
  const waiting = [...cases];
  const client = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const answer = await sendCase(target.port, one);
      answers.set(one.name, answer);
      finding.tried += 1;
      judgeAnswer(finding, one, answer, target.runtime);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));

  const byName = new Map(cases.map((one) => [one.name, one]));
  for (const [name, bytes] of await ask(target, "/runs")) {
    const one = byName.get(name);
    finding.count("handler runs");
    if (one === undefined) finding.fault("a handler ran for an unknown case", name);
    else if (!one.mayRun) finding.fault("a handler ran", one.title);
    else if (bytes > one.limit)
      finding.fault("a handler received too many bytes", `${bytes}: ${one.title}`);
  }
  if (target.runtime !== "node") return finding;
  let most = 0;
  for (const [name, bytes] of await ask(target, "/taken")) {
    const one = byName.get(name);
    if (one === undefined) continue;
    const taken = (bytes - (answers.get(name)?.headBytes ?? 0)) / one.wireShare;
    finding.count("connections with counted bytes");
    most = Math.max(most, Math.round(taken - one.limit));
    if (taken > one.limit + slackBytes)
      finding.fault("too many bytes read", `${Math.round(taken)}: ${one.title}`);
  }
  finding.count("most bytes read beyond a limit", most);
  await flood(finding, target, cases);
  return finding;
}

/** Sends so many endless bodies at once that a process must not buffer them. */
async function flood(finding: Finding, target: Target, cases: readonly BodyCase[]): Promise<void> {
  const endless = cases.filter(({ isEndless }) => isEndless);
  const many = Array.from({ length: 300 }, (_, index) => endless[index % endless.length]);
  const sendAll = (): Promise<(CaseAnswer | undefined)[]> =>
    Promise.all(many.map((one) => (one === undefined ? undefined : sendCase(target.port, one))));
  // Warm-up: allocates memory for the connections, which is independent of bodies.
  await sendAll();
  const memory = async (): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${target.port}/memory`);
    return (await response.json()) as number; // by application.ts
  };
  const before = await memory();
  let most = before;
  const sampler = setInterval(async () => {
    most = Math.max(most, await memory().catch(() => 0));
  }, 20);
  const answers = await sendAll();
  clearInterval(sampler);
  const refused = answers.filter((answer) => answer?.status === 413 || answer?.status === 400);
  finding.count("concurrent endless bodies, rejected", refused.length);
  finding.count("MiB of memory for them", Math.round((most - before) / 2 ** 20));
  finding.check(refused.length === many.length, "an endless body", `${refused.length} of 300`);
  const allowed = many.reduce((sum, one) => sum + (one?.limit ?? 0) + slackBytes, 0);
  finding.check(most - before < allowed, "memory", `${most - before} of ${allowed} bytes`);
}

function judgeAnswer(
  finding: Finding,
  one: BodyCase,
  { status, isLate }: CaseAnswer,
  runtime: string,
): void {
  finding.count(`status ${status ?? "none"}`);
  finding.check(!isLate, "no response in time", one.title);
  // workerd closes the connection after its response while bytes still arrive: the reset may overtake the response.
  const mayBeCut = runtime === "workerd" && !one.mayRun;
  const statuses = one.statuses.length === 0 ? [400, 413] : one.statuses;
  const isRight =
    status === undefined ? mayBeCut || one.statuses.length === 0 : statuses.includes(status);
  finding.check(isRight, `status ${status ?? "missing"}`, `${one.title}: not ${statuses}`);
}

async function ask(target: Target, path: string): Promise<[name: string, bytes: number][]> {
  const response = await fetch(`http://127.0.0.1:${target.port}${path}`);
  return (await response.json()) as [string, number][]; // by application.ts
}
