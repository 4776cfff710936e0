import {
  boundaryOf,
  describeByReference,
  describePieces,
  describeWhole,
  type Mutation,
  mutateForm,
  validForms,
  withoutMessage,
} from "../../test/support/multipart-mutations.ts";
import { Random } from "../../test/support/random.ts";
import type { Finding } from "../support/finding.ts";
import { Corpus } from "./corpus.ts";

/** Larger forms would make each input slower, and no new kind of result needs them. */
const mostBytes = 4_096;

/**
 * Reads mutated forms as a whole and in pieces, and as a reference does that splits the text at the boundary.
 *
 * @param endsAt in milliseconds of `performance.now()`
 */
export async function fuzzMultipart(finding: Finding, seed: number, endsAt: number): Promise<void> {
  const random = new Random(seed);
  const corpus = new Corpus<Mutation>(validForms().filter(isSmall));
  while (performance.now() < endsAt) {
    const form = mutateForm(corpus.pick(random), random);
    const pieceBytes = random.pick([1, 2, 3, 5, 17, 64, random.between(1, 200)]);
    finding.tried += 1;
    try {
      const whole = await describeWhole(form);
      const pieces = await describePieces(form, pieceBytes);
      finding.check(pieces === whole, `differs in pieces of ${pieceBytes}`, show(form));
      finding.count(whole.startsWith("[") ? "accepted" : "rejected");
      const boundary = boundaryOf(form);
      if (boundary !== undefined) {
        const expected = describeByReference(form, boundary);
        finding.check(withoutMessage(whole) === expected, "differs from the reference", show(form));
      }
      if (isSmall(form)) corpus.offer(form, kindOf(whole), random);
    } catch (error) {
      finding.fault(`throws ${error}`, show(form));
    }
  }
  finding.count("kinds of results", corpus.kinds);
}

const isSmall = ({ bytes }: Mutation): boolean => bytes.length <= mostBytes;

/** Returns the message of an error without values, and for a form the lengths of its members, in powers of two. */
function kindOf(description: string): string {
  if (!description.startsWith("[")) return description.replace(/"[^"]*"|\d+/g, "");
  const lengthOf = (text: string): number => Math.ceil(Math.log2(text.length));
  return description
    .replace(/\[\d[\d,]*\]/g, "[…]")
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) => `${lengthOf(text)}`);
}

const show = ({ bytes, contentType }: Mutation): string =>
  `${contentType}: ${JSON.stringify(Buffer.from(bytes).toString("latin1"))}`;
