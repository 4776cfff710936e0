import type { ApplicationCase, Exchange } from "../applications.ts";
import type { Handler, Subject } from "../subjects/subject.ts";
import { checkAnswer, createRequest } from "./check-answer.ts";
import type { Verdict } from "./command.ts";

/** One application built in every framework, in a process or in a Worker's isolate. */
export interface Engine {
  /** Sends every request to every subject, including invalid ones. Required before batches. */
  check(): Promise<readonly Verdict[]>;
  /** Sends requests to one subject, sequentially. @throws for a wrong response. */
  runBatch(subject: string, count: number): Promise<void>;
}

interface Built {
  readonly handler: Handler;
  /** Status plus length of the body, for each timed request. */
  readonly sums: readonly number[];
}

/** Builds all subjects at module scope, since workers cannot compile code later. */
export function createEngine(subjects: readonly Subject[], input: ApplicationCase): Engine {
  const handlers = new Map<string, Handler | Error>();
  for (const subject of subjects) handlers.set(subject.name, build(subject, input));
  const fixed = new Set(subjects.filter(({ isFixed }) => isFixed).map(({ name }) => name));
  const built = new Map<string, Built>();

  return {
    async check() {
      const verdicts: Verdict[] = [];
      for (const [subject, handler] of handlers) {
        if (handler instanceof Error) {
          verdicts.push({ subject, problem: String(handler) });
          continue;
        }
        // A fixed response neither routes nor rejects.
        const asked = [...input.timed, ...input.checked].slice(
          0,
          fixed.has(subject) ? 1 : undefined,
        );
        const problem = await firstProblem(handler, asked);
        verdicts.push({ subject, problem });
        if (problem === undefined) {
          built.set(subject, { handler, sums: await readSums(handler, input) });
        }
      }
      return verdicts;
    },
    async runBatch(subject, count) {
      const found = built.get(subject);
      if (found === undefined) throw new Error(`${subject} is not measured here.`);
      const { handler, sums } = found;
      const exchanges = input.timed;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const exchange = exchanges[i % exchanges.length] as (typeof exchanges)[number];
        const response = await handler(createRequest(exchange));
        sum += response.status + (await response.text()).length;
      }
      let right = 0;
      for (let i = 0; i < count; i++) right += sums[i % sums.length] ?? 0;
      if (sum !== right) throw new Error(`${subject} gave ${sum} while timed, ${right} is right.`);
    },
  };
}

function build(subject: Subject, input: ApplicationCase): Handler | Error {
  try {
    return subject.create(input);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function firstProblem(
  handler: Handler,
  exchanges: readonly Exchange[],
): Promise<string | undefined> {
  for (const exchange of exchanges) {
    const problem = await checkAnswer(handler, exchange);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function readSums(handler: Handler, { timed }: ApplicationCase): Promise<number[]> {
  const sums: number[] = [];
  for (const exchange of timed) {
    const response = await handler(createRequest(exchange));
    sums.push(response.status + (await response.text()).length);
  }
  return sums;
}
