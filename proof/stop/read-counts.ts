import { converse, requestBytes } from "../hostile/converse.ts";

/** Numbers of responses and jobs that a server of `listen.ts` has begun. */
export interface Counts {
  readonly opened: number;
  readonly jobs: number;
}

/** Asks a server of `listen.ts` for its counts, over a connection that is closed afterwards. */
export async function readCounts(port: number): Promise<Counts> {
  const { answers } = await converse(port, [requestBytes("GET", "/counts", [])]);
  return JSON.parse(answers[0]?.body.toString() ?? "{}");
}
