import { expect, test } from "vitest";
import { checkBlocks } from "./check-blocks.ts";
import { type CodeBlock, codeBlocks, pages } from "./code-blocks.ts";

const typescript = pages
  .flatMap((page) => codeBlocks(page))
  .filter(({ language }) => language === "ts");
const problems = checkBlocks(typescript);
const titled = typescript.map((block): [string, CodeBlock] => [
  `${block.page}:${block.line}`,
  block,
]);

test("every page has code", () => {
  expect(pages.filter((page) => !typescript.some((block) => block.page === page))).toEqual([]);
});

test.each(titled)("%s compiles", (_title, block) => {
  expect(problems.get(block)).toEqual([]);
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
