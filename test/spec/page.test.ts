import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

interface TitledTest {
  readonly file: string;
  /** Part before the first colon of the title: `Router 4`. */
  readonly rule: string;
  readonly title: string;
}

const folder = join(root, "test/spec");
const files = readdirSync(folder).filter(
  (name) => name.endsWith(".test.ts") && name !== "page.test.ts",
);

const tests: readonly TitledTest[] = files.flatMap((file) =>
  titlesOf(join(folder, file)).map((whole) => {
    const colon = whole.indexOf(": ");
    return { file, rule: whole.slice(0, Math.max(colon, 0)), title: whole.slice(colon + 2) };
  }),
);

/** Returns the titles of all tests in a file, unexpanded for tables. */
function titlesOf(path: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022));
  return titles;
}

/** `test(…)` or `test.each(…)(…)`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "test";
  return (
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    ts.isIdentifier(callee.expression.expression) &&
    callee.expression.expression.text === "test"
  );
}

/** Returns the rows of the page's tables: a rule and a title, below a heading with the file. */
function rowsOfPage(): TitledTest[] {
  const rows: TitledTest[] = [];
  let file = "";
  for (const line of readFileSync(join(root, "docs/reference/spec.md"), "utf8").split("\n")) {
    const heading = /^## .*`test\/spec\/([\w-]+\.test\.ts)`$/.exec(line)?.[1];
    if (heading !== undefined) file = heading;
    const [, rule, title] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (rule === undefined || title === undefined || rule === "Rule" || rule === "---") continue;
    rows.push({ file, rule, title: title.replaceAll("\\|", "|") });
  }
  return rows;
}

const asLine = ({ file, rule, title }: TitledTest): string => `${file} | ${rule} | ${title}`;

test("every title begins with its rule", () => {
  expect(tests.filter(({ rule }) => !/^[A-Z]/.test(rule))).toEqual([]);
});

test("docs/reference/spec.md lists every test of this folder, and no other", () => {
  expect(tests.length).toBeGreaterThan(150);
  expect(rowsOfPage().map(asLine).toSorted()).toEqual(tests.map(asLine).toSorted());
});

test("no two tests of a rule have the same title", () => {
  const lines = tests.map(asLine);
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
});
