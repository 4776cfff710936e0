import { describe, expect, it } from "vitest";
import { Constraint, ConstraintSyntaxError } from "../../src/routing/constraint.ts";
import { generateConstraint } from "../support/constraint-generator.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { Random } from "../support/random.ts";

describe("constraint", () => {
  it("accepts the same strings as the anchored RegExp with the flag u", () => {
    const random = new Random(1);
    let accepted = 0;
    for (let round = 0; round < 4_000; round++) {
      // A RegExp allows a group name once, a constraint several times.
      const { source, sample } = generateConstraint(random);
      const oracle = new RegExp(`^(?:${source.replaceAll("?<n>", "")})$`, "u");
      const constraint = unlessTooLarge(source);
      if (constraint === undefined) continue;
      for (const text of [sample(), sample(), `${sample()}a`, sample().slice(1), ""]) {
        expect({ source, text, accepts: constraint.accepts(text) }).toEqual({
          source,
          text,
          accepts: text !== "" && oracle.test(text),
        });
        accepted += Number(constraint.accepts(text));
      }
    }
    expect(accepted).toBeGreaterThan(5_000);
  });

  it("ignores anchors around the whole and around alternatives", () => {
    const constraint = new Constraint("^a+$|^b$");
    expect(["aa", "b", "bb", "ab"].map((text) => constraint.accepts(text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("counts a character beyond the basic plane as one", () => {
    expect(new Constraint(".{2}").accepts("🍌🍌")).toBe(true);
    expect(new Constraint(".{4}").accepts("🍌🍌")).toBe(false);
  });

  it.each([
    ["(a+)+", `${"a".repeat(16_000)}!`],
    ["(a|a|aa)*b", "a".repeat(16_000)],
    ["(.*)(.*)(.*)x", "y".repeat(16_000)],
    ["(a?){32}a{32}", "a".repeat(63)],
  ])("takes linear time: (%s)", async (source, text) => {
    const constraint = new Constraint(source);
    const usual = new Constraint("[a-z]+");
    const usualText = "a".repeat(text.length);
    const ratio = await costRatio(
      () => constraint.accepts(text),
      () => usual.accepts(usualText),
    );
    expect(ratio).toBeLessThan(200);
  });

  it("reads every end from the left and every start from the right", () => {
    const constraint = new Constraint("ab*|c");
    const characters = [..."abbc"].map((character) => character.codePointAt(0) ?? 0);
    expect(constraint.endsFrom(characters, 0)).toEqual([1, 2, 3]);
    expect(constraint.startsOf(characters, [false, false, true, false, true])).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });
});

/** Compiles a constraint; undefined if it is too long. */
function unlessTooLarge(source: string): Constraint | undefined {
  try {
    return new Constraint(source);
  } catch (error) {
    if (error instanceof ConstraintSyntaxError && /has more than 64/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}
