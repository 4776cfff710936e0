/*
 * The list of drawn titles: complete, reasoned, and counted in docs/reference/compared.md.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projects } from "../../../proof/peer-titles/projects.ts";
import { drawnTitles, type Judgement } from "./support.ts";

const page = readFileSync(new URL("../../../docs/reference/compared.md", import.meta.url), "utf8");
const judgements: readonly Judgement[] = [
  "same",
  "ours right",
  "theirs right",
  "taste",
  "not applicable",
];

function cells(values: readonly (string | number)[]): string {
  return `| ${values.join(" | ")} |`;
}

test("has the share of each project", () => {
  for (const { name, share } of projects) {
    expect(drawnTitles.filter(({ project }) => project === name)).toHaveLength(share);
  }
  expect(drawnTitles).toHaveLength(200);
});

test("gives a reason wherever the behaviour is not the same", () => {
  for (const { judgement, title, reason = "" } of drawnTitles) {
    expect(judgements).toContain(judgement);
    if (judgement !== "same") expect([title, reason.length > 10]).toEqual([title, true]);
    if (judgement !== "taste") continue;
    const [, row] = /^comparison: (.+)$/.exec(reason) ?? [];
    expect(page).toContain(`\n| ${row} |`);
  }
});

test("is counted in the comparison", () => {
  const rows = projects.map(({ name, repository, commit }) => {
    const own = drawnTitles.filter(({ project }) => project === name);
    const counts = judgements.map((kind) => own.filter((one) => one.judgement === kind).length);
    return cells([
      `[${name}](https://github.com/${repository})`,
      `\`${commit.slice(0, 9)}\``,
      ...counts,
    ]);
  });
  const heads = [
    cells(["project", "commit", ...judgements]),
    cells(["---", "---", ...judgements.map(() => "---:")]),
  ];
  expect(page).toContain([...heads, ...rows].join("\n"));
});
