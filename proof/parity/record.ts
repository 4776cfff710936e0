import { askAll, hasExpectedStatus } from "./ask-all.ts";
import { allCases } from "./cases/all.ts";
import { writeExpectations } from "./expectations.ts";
import { findKnownDifference } from "./known-differences.ts";

/**
 * Writes the responses of Node to `expectations.jsonl`, and those of workerd for Node's known differences.
 *
 * @returns the cases with an unexpected status
 */
export async function recordExpectations(): Promise<readonly string[]> {
  const [ofNode, ofWorkerd] = [await askAll("node"), await askAll("workerd")];
  const recorded = allCases
    .filter(({ isRecorded }) => isRecorded !== false)
    .map((one) => {
      const source = findKnownDifference("node", one.title) === undefined ? ofNode : ofWorkerd;
      return { one, answers: source[one.title] ?? [] };
    });
  writeExpectations(Object.fromEntries(recorded.map(({ one, answers }) => [one.title, answers])));
  return recorded
    .filter(({ one, answers }) => !hasExpectedStatus(one, answers))
    .map(({ one, answers }) => {
      return `${one.title}: the status must be ${one.status}, got ${answers.at(-1)?.status}`;
    });
}
