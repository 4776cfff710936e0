import { askCase } from "./ask.ts";
import type { Answer, ParityCase } from "./case.ts";
import { allCases } from "./cases/all.ts";
import { type PlatformName, startPlatform } from "./platforms.ts";

/** Responses of one platform by the titles of the cases. */
export type AnswersByTitle = Readonly<Record<string, readonly Answer[]>>;

/** Starts a platform, sends it the requests of every case, and stops it. */
export async function askAll(name: PlatformName): Promise<AnswersByTitle> {
  const platform = await startPlatform(name);
  const answers: Record<string, readonly Answer[]> = {};
  try {
    for (const one of allCases) answers[one.title] = await askCase(platform, one);
  } finally {
    await platform.stop();
  }
  return answers;
}

/** Returns `true` if the last response of a case has the status that the case names. */
export function hasExpectedStatus(one: ParityCase, answers: readonly Answer[]): boolean {
  return answers.at(-1)?.status === one.status;
}
