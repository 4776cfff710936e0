import { Finding } from "../support/finding.ts";
import { searchKinds } from "./cost-search/kinds.ts";
import { searchCost } from "./cost-search/search.ts";
import { startSearchTarget } from "./cost-search/target.ts";

/** Processor time of an input, at most, in proportion to a benign one of the same size. */
const mostTimes = 10;

export interface CostSearchOptions {
  /** Inputs of each kind. */
  readonly inputs: number;
  readonly seed: number;
}

/** No input that a genetic search finds costs more than ten times the processor time of a benign one of its size. */
export async function proveCostSearch(
  runtime: "node" | "workerd",
  { inputs, seed }: CostSearchOptions,
): Promise<Finding> {
  const finding = new Finding(`search for costly inputs, seed ${seed}`);
  const target = await startSearchTarget(runtime);
  try {
    for (const kind of searchKinds) {
      const { ratio, genome } = await searchCost(target, kind, inputs, seed);
      finding.tried += inputs;
      finding.count(kind.name, ratio);
      const input = genome.map(({ text, times }) => `${printable(text)} x${times}`).join(" ");
      finding.check(
        ratio <= mostTimes,
        `over ${mostTimes} times`,
        `${kind.name}: ${ratio}, ${input}`,
      );
    }
  } finally {
    await target.stop();
  }
  return finding;
}

/** Returns text as JSON, with escapes for the bytes of WebSocket frames that a terminal does not show. */
function printable(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\xff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
