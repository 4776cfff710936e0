import { Random } from "../../test/support/random.ts";
import { Finding } from "../support/finding.ts";
import { findLeak } from "./canaries.ts";
import { type Conversation, converse, requestBytes } from "./converse.ts";
import { type HostileRequest, hostileRequest } from "./generate.ts";
import type { Target } from "./target.ts";
import { type Answer, headerOf } from "./wire.ts";

export interface RequestsOptions {
  readonly requests: number;
  readonly seed: number;
  /** Number of concurrent connections; default 8. */
  readonly connections?: number;
}

/**
 * Sends generated requests, one to six per connection, followed by a harmless one: no exit, no hang, no
 * unintended 5xx, no leak, and every response belongs to its request.
 */
export async function proveRequests(target: Target, options: RequestsOptions): Promise<Finding> {
  const { requests, seed, connections = 8 } = options;
  const finding = new Finding(`generated requests, seed ${seed}`);
  const log = new AccessLog(finding);
  let conversations = 0;
  const worker = async (): Promise<void> => {
    while (finding.tried < requests && !target.hasEnded()) {
      const sent = conversationOf(seed, conversations++, requests);
      finding.tried += sent.length;
      const isBroken = sent.at(-1)?.isBroken === true;
      const last = requestBytes("GET", "/path/last", [["X-Request-Id", `last${conversations}`]]);
      const all = isBroken ? sent : [...sent, last];
      const conversation = await converse(target.port, all, { endsStream: isBroken });
      judge(finding, sent, conversation, log);
      if (conversation.end === "closed" && !isBroken) {
        await askAlone(target, finding, sent.slice(conversation.answers.length));
      }
      log.read(target.takeLines());
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  finding.check(!target.hasEnded(), "the process exited", "");
  await isAlive(target, finding);
  if (target.runtime !== "workerd") await log.finish(target);
  return finding;
}

/** Generates the requests of a connection, deterministic by seed and number. */
function conversationOf(seed: number, number: number, most: number): HostileRequest[] {
  const random = new Random(seed + Math.imul(number, 0x9e3779b1));
  const sent: HostileRequest[] = [];
  for (let count = Math.min(random.between(1, 6), most); count > 0; count -= 1) {
    const request = hostileRequest(random, `r${number}.${sent.length}`);
    sent.push(request);
    if (request.isBroken) break;
  }
  return sent;
}

/** Checks that the server still responds. */
export async function isAlive(target: Target, finding: Finding): Promise<void> {
  const { answers } = await converse(target.port, [requestBytes("GET", "/path/alive", [])]);
  finding.check(answers[0]?.status === 200, "the server no longer responds", target.runtime);
}

function judge(
  finding: Finding,
  sent: readonly HostileRequest[],
  { answers, end, problem }: Conversation,
  log: AccessLog,
): void {
  const shown = (index: number): string => show(sent.slice(Math.max(0, index - 1), index + 1));
  const isBroken = sent.at(-1)?.isBroken === true;
  if (problem !== undefined && !isBroken) finding.fault(problem, shown(answers.length));
  if (end === "late") finding.fault("no response in time", shown(answers.length));
  for (const [index, answer] of answers.entries()) {
    const request = sent[index];
    if (request === undefined) break;
    finding.count(`${answer.status}`);
    judgeAnswer(finding, request, answer, () => shown(index));
    if (headerOf(answer, "x-request-id") === request.id) log.expect(request.id);
  }
}

/**
 * A server may close the connection with its pending requests if one of them is not valid HTTP. Each of
 * those must get a response when it is sent alone.
 */
async function askAlone(
  target: Target,
  finding: Finding,
  unanswered: readonly HostileRequest[],
): Promise<void> {
  for (const request of unanswered) {
    const { answers } = await converse(target.port, [request]);
    const isAnswered = answers.length === 1 || request.mayEnd;
    if (!isAnswered) finding.fault("closed without a response", show([request]));
    finding.count("sent again alone");
  }
}

function show(requests: readonly HostileRequest[]): string {
  const short = requests.map(({ bytes }) =>
    bytes
      .toString("latin1")
      .replace(/(.{1,3})\1{20,}/g, "$1…")
      .slice(0, 1_500),
  );
  return JSON.stringify(short);
}

function judgeAnswer(
  finding: Finding,
  request: HostileRequest,
  answer: Answer,
  shown: () => string,
): void {
  const id = headerOf(answer, "x-request-id");
  const isOther = id !== undefined && id !== request.id && !request.isBroken;
  if (isOther) finding.fault("another request's answer", shown());
  const route = headerOf(answer, "x-route");
  const isMeant =
    route?.startsWith("/fails/") ||
    (route?.startsWith("/health") && answer.status === 503) ||
    // Statuses of the server itself, for methods, versions and expectations.
    (id === undefined && [501, 505].includes(answer.status)) ||
    // workerd supports CONNECT for workers with a handler for it.
    (id === undefined && request.method === "CONNECT");
  if (answer.status >= 500 && !isMeant) finding.fault(`an unmeant ${answer.status}`, shown());
  const text = `${[...answer.headers].join("\n")}\n${answer.body.toString()}`;
  const leak = findLeak(text);
  if (leak !== undefined) finding.fault(`a leak: ${leak}`, shown());
}

/** Checks that the log has one line per response, and that all lines are JSON. */
class AccessLog {
  readonly #lines = new Map<string, number>();
  readonly #expected: string[] = [];
  readonly #finding: Finding;

  constructor(finding: Finding) {
    this.#finding = finding;
  }

  expect(id: string): void {
    this.#expected.push(id);
  }

  read(lines: readonly string[]): void {
    for (const line of lines) {
      try {
        const { id, durationMs } = JSON.parse(line) as { id?: string; durationMs?: number };
        if (durationMs !== undefined && id !== undefined) {
          this.#lines.set(id, (this.#lines.get(id) ?? 0) + 1);
        }
      } catch {
        this.#finding.fault("a line that is not JSON", line.slice(0, 300));
      }
    }
  }

  async finish(target: Target): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 500));
    this.read(target.takeLines());
    for (const id of this.#expected) {
      const lines = this.#lines.get(id) ?? 0;
      if (lines !== 1) this.#finding.fault("not one line in the log", `${id} has ${lines}`);
    }
    this.#finding.count("responses with one log line each", this.#expected.length);
  }
}
