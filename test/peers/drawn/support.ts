import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Verdict on a behaviour that a drawn test of another framework expects. */
export type Judgement = "same" | "ours right" | "theirs right" | "taste" | "not applicable";

/** A drawn test title, as `titles.json` lists it. */
export interface DrawnTitle {
  readonly project: string;
  /** File of the test in the project's repository. */
  readonly file: string;
  readonly title: string;
  readonly judgement: Judgement;
  /** Rule that decides, or the missing counterpart; absent where both behave alike. */
  readonly reason?: string;
}

/** All drawn titles, in the order of the draw. */
export const drawnTitles: readonly DrawnTitle[] = JSON.parse(
  readFileSync(new URL("titles.json", import.meta.url), "utf8"),
);

/** Runs the restated tests of a project, by their title there; each applicable title must have one. */
export function testDrawn(project: string, cases: Readonly<Record<string, () => unknown>>): void {
  const own = drawnTitles.filter((drawn) => drawn.project === project);
  describe(`drawn tests of ${project}`, () => {
    for (const [title, run] of Object.entries(cases)) {
      test(title, async () => {
        await run();
      });
    }

    test("every applicable title is restated", () => {
      const applicable = own.filter(({ judgement }) => judgement !== "not applicable");
      expect(Object.keys(cases).toSorted()).toEqual(
        applicable.map(({ title }) => title).toSorted(),
      );
    });
  });
}
