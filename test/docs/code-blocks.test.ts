import { expect, test } from "vitest";
import { checkBlocks } from "./check-blocks.ts";
import { type CodeBlock, codeBlocks, guidePages, isChecked, pages } from "./code-blocks.ts";

/** Its files belong to a generated project, in which `npm run proof -- tutorial` type-checks and runs them. */
const inProject = "docs/guide/tutorial.md";

const typescript = pages
  .filter((page) => page !== inProject)
  .flatMap((page) => codeBlocks(page))
  .filter(isChecked);

/** Pages that are separate applications, with what they declare of `Register`. */
const applications: readonly string[] = ["tour", "files", "mail"].map(
  (name) => `docs/guide/${name}.md`,
);

/** Pages whose blocks share a program, and so what they declare of `Register`. */
function programOf({ page }: CodeBlock): string {
  return applications.includes(page) || page.startsWith("docs/migration/") ? page : "guide";
}

const problems = [...Map.groupBy(typescript, programOf).values()].map(checkBlocks);
const problemsOf = (block: CodeBlock): readonly string[] | undefined =>
  problems.find((checked) => checked.has(block))?.get(block);
const titled = typescript.map((block): [string, CodeBlock] => [
  `${block.page}:${block.line}`,
  block,
]);

test("every page of the guide has code", () => {
  expect(guidePages.filter((page) => !typescript.some((block) => block.page === page))).toEqual([
    inProject,
  ]);
});

test.each(titled)("%s compiles", (_title, block) => {
  expect(problemsOf(block)).toEqual([]);
});

test("a block that is wrong is found, with its line", () => {
  const block: CodeBlock = {
    page: "page.md",
    line: 7,
    language: "ts",
    text: 'import { Application } from "espalier";\nnew Application().getRoute();',
  };
  expect(checkBlocks([block]).get(block)).toEqual([
    expect.stringMatching(/^page\.md:8: Property 'getRoute' does not exist on type 'Application'/),
  ]);
});

test("code of other frameworks is recognised by its label, and everything else is checked", () => {
  const block = { page: "page.md", line: 1, language: "ts", text: "" };
  expect(isChecked({ ...block, label: "Hono" })).toBe(false);
  expect(isChecked({ ...block, label: "Espalier" })).toBe(true);
  expect(isChecked({ ...block, label: "espalier.ts" })).toBe(true);
});
