import { describe, expect, test } from "vitest";
import type { RuleType } from "../../src/validation/rules.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { compile, inputOf, messagesOf, runSync, validateBody, validatedOf } from "./support.ts";

const UUID = "123e4567-e89b-12d3-a456-426614174000";
const blob = new Blob(["x"]);
const file = new File(["x"], "x.txt");

/**
 * Values of every kind that can be sent, or set as the body by other code; none counts as missing.
 */
const values: Readonly<Record<string, unknown>> = {
  text: "abc",
  "digits as text": "12",
  "the text true": "true",
  "an email": "ada@example.com",
  "a url": "https://example.com/a?b#c",
  "a uuid": UUID,
  "a date": "2024-02-29",
  "a time of a day": "2024-02-29T12:30:00Z",
  "a lone surrogate": "\ud800",
  "a megabyte of text": "x".repeat(1_000_000),
  zero: 0,
  "a fraction": 1.5,
  "minus one": -1,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "an integer that is rounded": 2 ** 53,
  "a bigint": 1n,
  yes: true,
  no: false,
  "an empty list": [],
  "a list of a number": [12],
  "an object": { a: 1 },
  "an empty object": {},
  "an object with length": { length: 5 },
  "an array-like with items": { 0: "a", length: 1 },
  "an object with valueOf": { valueOf: () => 12, toString: () => "abc" },
  "an object without prototype": Object.create(null),
  "a boxed string": Object("abc"),
  "a boxed number": Object(12),
  "a boxed boolean": Object(true),
  "a Date": new Date(0),
  "a Map": new Map(),
  "a function": () => "abc",
  "a symbol": Symbol("abc"),
  "a Blob": blob,
  "a File": file,
};

const texts = Object.keys(values).filter((name) => typeof values[name] === "string");

const accepted: Readonly<Record<RuleType, readonly string[]>> = {
  string: texts,
  number: ["zero", "a fraction", "minus one", "an integer that is rounded"],
  integer: ["zero", "minus one"],
  boolean: ["yes", "no"],
  array: ["an empty list", "a list of a number"],
  object: [
    "an object",
    "an empty object",
    "an object with length",
    "an array-like with items",
    "an object with valueOf",
    "an object without prototype",
  ],
  email: ["an email"],
  url: ["a url"],
  uuid: ["a uuid"],
  date: ["a date", "a time of a day"],
  file: ["a Blob", "a File"],
};

const messages: Readonly<Record<RuleType, string>> = {
  string: "value must be a string",
  number: "value must be a number",
  boolean: "value must be a boolean",
  array: "value must be an array",
  integer: "value must be an integer",
  object: "value must be an object",
  email: "value must be a valid email",
  url: "value must be a valid URL",
  uuid: "value must be a valid UUID",
  date: "value must be a valid date",
  file: "value must be a file",
};

describe.each(Object.keys(messages) as RuleType[])("the type %s", (type) => {
  test.each(Object.keys(values))("of %s", (name) => {
    const value = values[name];
    const result = validateBody({ value: { type } }, { value });
    if (accepted[type].includes(name)) {
      expect(Object.is((validatedOf(result) as { value: unknown }).value, value)).toBe(true);
    } else {
      expect(result).toEqual({ ok: false, errors: [{ field: "value", message: messages[type] }] });
    }
  });
});

describe("min and max", () => {
  test.each([
    ["a text counts", { type: "string", min: 3 }, "ab", "v must be at least 3 characters"],
    ["a text counts", { type: "string", min: 3 }, "abc", undefined],
    ["a text counts", { type: "string", max: 3 }, "abcd", "v must be at most 3 characters"],
    ["a text counts", { type: "string", max: 3 }, "abc", undefined],
    ["an emoji is one", { type: "string", min: 2 }, "😀", "v must be at least 2 characters"],
    ["an emoji is one", { type: "string", min: 1, max: 1 }, "😀", undefined],
    ["emoji at the edge", { type: "string", max: 3 }, "😀😀😀", undefined],
    [
      "emoji past the edge",
      { type: "string", max: 3 },
      "😀😀😀😀",
      "v must be at most 3 characters",
    ],
    ["emoji past the edge", { type: "string", max: 3 }, "😀😀ab", "v must be at most 3 characters"],
    [
      "a family is its code points",
      { type: "string", max: 4 },
      "👨‍👩‍👧",
      "v must be at most 4 characters",
    ],
    ["a lone surrogate is one", { type: "string", min: 2, max: 2 }, "\ud800a", undefined],
    [
      "surrogates in the wrong order are two",
      { type: "string", max: 1 },
      "\udc00\ud800",
      "v must be at most 1 characters",
    ],
    [
      "a letter and a low surrogate are two",
      { type: "string", max: 1 },
      "a\udc00",
      "v must be at most 1 characters",
    ],
    [
      "two high surrogates and a low one are two",
      { type: "string", min: 2, max: 2 },
      "\ud800\ud83d\ude00",
      undefined,
    ],
    [
      "a high surrogate at the end is one",
      { type: "string", min: 2, max: 2 },
      "a\ud83d",
      undefined,
    ],
    [
      "formats count as well",
      { type: "email", max: 10 },
      "ada@example.com",
      "v must be at most 10 characters",
    ],
    [
      "minLength and maxLength",
      { type: "string", minLength: 3 },
      "ab",
      "v must be at least 3 characters",
    ],
    [
      "minLength and maxLength",
      { type: "string", maxLength: 1 },
      "ab",
      "v must be at most 1 characters",
    ],
    [
      "the stricter one holds",
      { type: "string", min: 1, minLength: 3 },
      "ab",
      "v must be at least 3 characters",
    ],
    [
      "the stricter one holds",
      { type: "string", max: 1, maxLength: 3 },
      "ab",
      "v must be at most 1 characters",
    ],
    [
      "the stricter one holds",
      { type: "string", min: 3, minLength: 1 },
      "ab",
      "v must be at least 3 characters",
    ],
    [
      "the stricter one holds",
      { type: "string", max: 3, maxLength: 1 },
      "ab",
      "v must be at most 1 characters",
    ],
    ["a list counts items", { type: "array", min: 2 }, [1], "v must contain at least 2 items"],
    ["a list counts items", { type: "array", max: 2 }, [1, 2, 3], "v must contain at most 2 items"],
    ["a list counts items", { type: "array", minLength: 1, maxLength: 2 }, [1, 2], undefined],
    ["an empty list is there", { type: "array", required: true }, [], undefined],
    ["a number is its value", { type: "number", min: 1.5 }, 1.4, "v must be at least 1.5"],
    ["a number is its value", { type: "number", min: 1.5, max: 1.5 }, 1.5, undefined],
    ["a number is its value", { type: "integer", max: 65535 }, 65536, "v must be at most 65535"],
    ["zero is a bound", { type: "integer", min: 0 }, -1, "v must be at least 0"],
    ["zero is a bound", { type: "number", max: 0 }, -0, undefined],
    ["without a type: a text", { min: 3 }, "ab", "v must be at least 3 characters"],
    ["without a type: a list", { max: 1 }, [1, 2], "v must contain at most 1 items"],
    ["without a type: a number", { min: 3 }, 2, "v must be at least 3"],
    ["without a type: digits are a text", { min: 3 }, "001", undefined],
    ["without a type: digits are a text", { max: 3 }, "999", undefined],
    ["without a type: what has no size", { min: 3 }, { length: 1 }, undefined],
    [
      "an object with length is not a string",
      { type: "string", min: 3 },
      { length: 5 },
      "v must be a string",
    ],
  ])("%s: %j of %j", (_title, rule, value, message) => {
    expect(messagesOf({ v: rule }, { v: value })).toEqual(message === undefined ? [] : [message]);
  });

  test("a string of a megabyte is not counted by code point", async () => {
    const textsOf = (length: number): string[] => [
      "x".repeat(length),
      "😀".repeat(length / 2),
      "\ud800".repeat(length),
    ];
    const atMost = compile({ v: { type: "string", max: 100 } });
    const atLeast = compile({ v: { type: "string", min: 100 } });
    const check = (texts: readonly string[]) => (): void => {
      for (const v of texts) {
        expect(runSync(atMost, inputOf({ body: { v } })).ok).toBe(false);
        expect(runSync(atLeast, inputOf({ body: { v } })).ok).toBe(true);
      }
    };
    expect(await costRatio(check(textsOf(1_000_000)), check(textsOf(1_000)))).toBeLessThan(10);
  });
});

describe("the other keys", () => {
  test.each([
    ["enum", { enum: ["a", "b"] }, "c", "v must be one of: a, b"],
    ["enum", { enum: ["a", "b"] }, "a", undefined],
    ["enum does not convert", { enum: [1, 2, null] }, "1", "v must be one of: 1, 2, null"],
    ["enum does not stringify", { enum: ["a"] }, ["a"], "v must be one of: a"],
    ["enum after the type", { type: "string", enum: ["a"] }, 1, "v must be a string"],
    ["pattern", { type: "string", pattern: /^[a-z]+$/ }, "A", "v format is invalid"],
    ["pattern", { pattern: /^[a-z]+$/ }, "a", undefined],
    [
      "pattern is not applied to a value that is not a string",
      { pattern: /1/ },
      1,
      "v format is invalid",
    ],
    [
      "bounds before pattern",
      { min: 3, pattern: /^[a-z]+$/ },
      "A",
      "v must be at least 3 characters",
    ],
    ["message", { type: "string", message: "Say your name." }, 1, "Say your name."],
    [
      "message of a missing field",
      { required: true, message: "Say your name." },
      undefined,
      "Say your name.",
    ],
    ["required", { required: true }, undefined, "v is required"],
    ["required", { required: true }, null, "v is required"],
    ["required", { required: true }, "", "v is required"],
    ["required", { required: true }, 0, undefined],
    ["required", { required: true }, false, undefined],
    ["required", { required: true }, " ", undefined],
    [
      "required file that was left empty",
      { required: true, type: "file" },
      new File([], ""),
      "v is required",
    ],
    [
      "required file that was left empty, as Bun parses it",
      { required: true, type: "file" },
      Object.defineProperty(new File([], ""), "name", { value: undefined }),
      "v is required",
    ],
    [
      "required file that is empty",
      { required: true, type: "file" },
      new File([], "a.txt"),
      undefined,
    ],
    [
      "required file without a name",
      { required: true, type: "file" },
      new File(["x"], ""),
      undefined,
    ],
    [
      "a file without name and content is not a string",
      { type: "string" },
      new File([], ""),
      "v must be a string",
    ],
    ["nullable", { required: true, nullable: true, type: "string" }, null, undefined],
    ["nullable is not optional", { required: true, nullable: true }, undefined, "v is required"],
    ["optional", { type: "string", min: 3 }, undefined, undefined],
    ["optional", { type: "string", min: 3 }, null, undefined],
    ["optional and empty", { type: "string", min: 3 }, "", "v must be at least 3 characters"],
    ["optional and empty", { type: "string" }, "", undefined],
    ["required and allowed to be empty", { required: true, allowEmpty: true }, "", undefined],
  ])("%s: %j of %j", (_title, rule, value, message) => {
    expect(messagesOf({ v: rule }, { v: value })).toEqual(message === undefined ? [] : [message]);
  });

  test.each(["g", "y", "gy", "i"])("a pattern with the flags %s is stateless", (flags) => {
    const pattern = new RegExp("a", flags);
    const compiled = compile({ v: { pattern } });
    for (let request = 0; request < 4; request += 1) {
      expect(runSync(compiled, inputOf({ body: { v: "a" } })).ok).toBe(true);
    }
    expect(pattern.lastIndex).toBe(0);
  });

  test("a missing field is not in the value, a nullable null is", () => {
    const rules = { a: {}, b: {}, c: {}, d: { nullable: true }, e: {} };
    const value = validatedOf(validateBody(rules, { a: null, b: "", d: null, e: false, f: 1 }));
    expect(Object.entries(value as object)).toEqual([
      ["b", ""],
      ["d", null],
      ["e", false],
    ]);
  });

  test("a default replaces a missing value, separately for each request", () => {
    const list: string[] = ["x"];
    const rules = {
      n: { type: "integer", default: 7, required: true },
      list: { type: "array", default: list },
      empty: { type: "string", default: "" },
      none: { type: "string", default: null },
    };
    const first = validatedOf(validateBody(rules, { n: null }));
    expect(first).toEqual({ n: 7, list: ["x"], empty: "", none: null });
    (first as { list: string[] }).list.push("y");
    expect(validatedOf(validateBody(rules, { n: 1 }))).toEqual({
      n: 1,
      list: ["x"],
      empty: "",
      none: null,
    });
    expect(list).toEqual(["x"]);
  });

  test("a mutable default is copied", () => {
    const since = new Date(0);
    const names = new Set(["a"]);
    const file = new File(["x"], "x.txt");
    const rules = { since: { default: since }, names: { default: names }, file: { default: file } };
    const sent = () =>
      validatedOf(validateBody(rules, {})) as typeof rules & {
        since: Date;
        names: Set<string>;
      };
    const first = sent();
    first.since.setFullYear(2000);
    first.names.add("b");
    expect(sent()).toEqual({ since: new Date(0), names: new Set(["a"]), file });
    expect(since.getTime()).toBe(0);
    expect(names.size).toBe(1);
  });

  test("an immutable default is not copied", () => {
    const file = new File(["x"], "x.txt");
    const mark = Symbol("mark");
    const rules = { file: { default: file }, mark: { default: mark }, none: { default: null } };
    const value = validatedOf(validateBody(rules, {})) as Record<string, unknown>;
    expect(value["file"]).toBe(file);
    expect(value["mark"]).toBe(mark);
    expect(value["none"]).toBeNull();
  });
});
