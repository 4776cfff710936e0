import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Application, type RuleMap } from "espalier";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { importBlocks, namedBlocks } from "./import-blocks.ts";

const files = namedBlocks(codeBlocks("docs/guide/translation.md").filter(isChecked));
const { app } = (await importBlocks(files, "books.ts")) as { app: Application };
const { translateValidation, preferredLanguage } = (await importBlocks(files, "translate.ts")) as {
  translateValidation(app: Application): void;
  preferredLanguage(header: string | null, languages: readonly string[]): string;
};

const post = (target: Application, body: unknown, language: string): Promise<Response> =>
  target.request("/books", {
    method: "POST",
    headers: { "content-type": "application/json", "accept-language": language },
    body: JSON.stringify(body),
  });

test("messages are in the client's language", async () => {
  const response = await post(app, { pages: 0 }, "de-AT, en;q=0.8");
  expect(response.status).toBe(422);
  expect(response.headers.get("content-language")).toBe("de");
  expect(await response.json()).toMatchObject({
    title: "Ungültige Eingabe",
    errors: [
      { field: "title", message: "Titel ist erforderlich" },
      { field: "pages", message: "Seitenzahl muss mindestens 1 sein" },
    ],
  });
  const english = await post(app, {}, "fr, en;q=0.8, de;q=0.1");
  expect(await english.json()).toMatchObject({ errors: [{ message: "title is required" }] });
});

test("every message of a rule is translated", async () => {
  const body: RuleMap = {
    missing: { required: true },
    pattern: { type: "string", pattern: /^a$/ },
    custom: { type: "string", custom: () => false },
    enum: { enum: ["a", "b"] },
    shortText: { type: "string", min: 3 },
    longText: { type: "string", max: 0 },
    shortList: { type: "array", min: 3 },
    longList: { type: "array", max: 0 },
    small: { type: "number", min: 3 },
    large: { type: "number", max: 0 },
    ...Object.fromEntries(types.map((type) => [`${type}Type`, { type }])),
  };
  const every = new Application();
  translateValidation(every);
  every.getRouter().post("/books", () => new Response(), { validation: { body } });
  const invalid: Record<string, unknown> = {
    ...Object.fromEntries(
      types.map((type) => [`${type}Type`, type === "string" ? 5 : Symbol.for("x").description]),
    ),
    ...{ pattern: "b", custom: "a", enum: "c", shortText: "a", longText: "a" },
    ...{ shortList: [1], longList: [1], small: 1, large: 1 },
  };
  const response = await post(every, invalid, "de");
  const { errors } = (await response.json()) as { errors: { field: string; message: string }[] };
  expect(errors.map(({ field }) => field).toSorted()).toEqual(Object.keys(body).toSorted());
  expect(
    errors.filter(({ message }) => /\b(must|is|invalid|required|format)\b/.test(message)),
  ).toEqual([]);
});

const types = [
  ...(["string", "number", "boolean", "array", "integer", "object"] as const),
  ...(["email", "url", "uuid", "date", "file"] as const),
];

test("the list of types is complete", () => {
  const folder = join(root, "src/validation");
  expect(readdirSync(folder)).toContain("value-types.ts");
  const source = readFileSync(join(folder, "value-types.ts"), "utf8");
  const [, table = ""] = /function createTypes[^{]*\{([\s\S]*?)\n\}/.exec(source) ?? [];
  const names = [...table.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual([...types].toSorted());
});

test.each([
  [null, "en"],
  ["", "en"],
  ["de", "de"],
  ["DE-at", "de"],
  ["en;q=0.5, de", "de"],
  ["de;q=0", "en"],
  ["dex", "en"],
  ["fr;q=x, de;q=0.1", "de"],
])("Accept-Language %j prefers %s", (header, language) => {
  expect(preferredLanguage(header, ["en", "de"])).toBe(language);
});
