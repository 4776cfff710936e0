import { expect, test } from "vitest";
import { renderTemplate } from "../../create-espalier/src/render-template.ts";

const render = (template: string, ...flags: string[]): string =>
  renderTemplate(template, { flags: new Set(flags), values: new Map([["name", "shop"]]) });

test("placeholders are replaced by their values", () => {
  expect(render("a {{name}} {{name}}")).toBe("a shop shop");
  expect(() => render("{{nmae}}")).toThrow('The template has an unknown placeholder "nmae".');
  expect(() => render("{{toString}}")).toThrow('unknown placeholder "toString"');
});

test.each([
  ["TypeScript", "a\n  // @if auth\n  b\n  // @else\n  c\n  // @end\nd"],
  ["TOML", "a\n# @if auth\n  b\n# @else\n  c\n# @end\nd"],
  ["Markdown", "a\n<!-- @if auth -->\n  b\n<!-- @else -->\n  c\n<!-- @end -->\nd"],
])("lines are included by condition in %s", (_language, template) => {
  expect(render(template, "auth")).toBe("a\n  b\nd");
  expect(render(template)).toBe("a\n  c\nd");
});

test("conditions nest", () => {
  const template = "# @if a\n1\n# @if b\n2\n# @else\n3\n# @end\n# @end\n4";
  expect(render(template, "a", "b")).toBe("1\n2\n4");
  expect(render(template, "a")).toBe("1\n3\n4");
  expect(render(template, "b")).toBe("4");
});

test("a blank line before an end is removed", () => {
  expect(render("// @if a\nb\n\n// @end\n\nc", "a")).toBe("b\n\nc");
  expect(render("x\n\n// @if a\nb\n\n// @end\nc")).toBe("x\n\nc");
});

test("unbalanced conditions throw", () => {
  expect(() => render("# @if a")).toThrow("an @if without an @end");
  expect(() => render("# @end")).toThrow("without an @if");
  expect(() => render("# @else")).toThrow("without an @if");
});
