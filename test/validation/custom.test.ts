import { describe, expect, test } from "vitest";
import { unhandledRejectionsOf } from "../support/unhandled-rejections.ts";
import {
  compile,
  errorsOf,
  inputOf,
  messagesOf,
  runSync,
  validateBody,
  validatedOf,
} from "./support.ts";

describe("custom", () => {
  test.each([
    [true, []],
    [false, ["v is invalid"]],
    ["v is taken", ["v is taken"]],
    ["", ["v is invalid"]],
    [undefined, ["v is invalid"]],
    [null, ["v is invalid"]],
    [1, ["v is invalid"]],
    [{}, ["v is invalid"]],
    [JSON.parse('{ "then": "no promise" }'), ["v is invalid"]],
  ])("that returns %j", async (outcome, messages) => {
    // Return values of functions without types; the type of `custom` allows the first three.
    const custom = () => outcome as boolean;
    expect(messagesOf({ v: { custom } }, { v: 1 })).toEqual(messages);
    const later = async () => outcome as boolean;
    const result = await compile({ v: { custom: later } }).run(inputOf({ body: { v: 1 } }));
    expect(result.ok ? [] : result.errors.map(({ message }) => message)).toEqual(messages);
  });

  test("receives the coerced value and the context, and runs last", () => {
    const seen: unknown[] = [];
    const custom = (value: unknown, ctx: unknown) => {
      seen.push([value, ctx]);
      return true;
    };
    const compiled = compile({ v: { type: "integer", min: 3, custom } }, "GET");
    const context = { id: "ctx" };
    for (const query of ["v=5", "v=2", "v=x", "v=", ""])
      runSync(compiled, inputOf({ query, context }));
    expect(seen).toEqual([[5, context]]);
  });

  test("receives the validated object, and does not run if that failed", () => {
    const seen: unknown[] = [];
    const custom = (value: unknown) => seen.push(value) > 0;
    const rules = {
      at: { schema: { n: { type: "integer" } }, custom },
      l: { items: { type: "integer" }, custom },
    };
    validateBody(rules, { at: { n: 1, m: 2 }, l: [1] });
    expect(seen).toEqual([{ n: 1 }, [1]]);
    expect(
      errorsOf(validateBody(rules, { at: { n: "x" }, l: ["x"] })).map(({ field }) => field),
    ).toEqual(["at.n", "l.0"]);
    expect(seen).toHaveLength(2);
  });

  test("message is used if it returns none", () => {
    const say = (outcome: boolean | string) => ({
      custom: () => outcome,
      message: "Choose another.",
    });
    expect(messagesOf({ v: say(false) }, { v: 1 })).toEqual(["Choose another."]);
    expect(messagesOf({ v: say("v is taken") }, { v: 1 })).toEqual(["v is taken"]);
  });

  test("asynchronous ones run concurrently, and errors keep the order of the rules", async () => {
    const running = { now: 0, most: 0 };
    const slow = (ms: number, outcome: boolean) => async () => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running.now -= 1;
      return outcome;
    };
    const compiled = compile({
      a: { custom: slow(20, false) },
      b: { type: "integer" },
      list: { items: { type: "integer", custom: async (value: unknown) => value === 1 } },
      c: { custom: slow(1, false) },
      d: { custom: slow(1, true) },
    });
    const body = { a: 1, b: "x", list: [1, 2, "x", 3], c: 1, d: 1 };
    const result = await compiled.run(inputOf({ body }));
    expect(errorsOf(result)).toEqual([
      { field: "a", message: "a is invalid" },
      { field: "b", message: "b must be an integer" },
      { field: "list.1", message: "list.1 is invalid" },
      { field: "list.2", message: "list.2 must be an integer" },
      { field: "list.3", message: "list.3 is invalid" },
      { field: "c", message: "c is invalid" },
    ]);
    expect(running.most).toBe(3);
    const good = await compiled.run(inputOf({ body: { d: 1, list: [1] } }));
    expect(validatedOf(good)).toEqual({ list: [1], d: 1 });
  });

  test("is asynchronous only if it ran", () => {
    const compiled = compile({ v: { custom: async () => true } });
    expect(validatedOf(runSync(compiled, inputOf({ body: {} })))).toEqual({});
  });

  test("an error that it throws is not a validation result", async () => {
    const failure = new Error("no connection");
    const alone = compile({
      v: {
        custom: () => {
          throw failure;
        },
      },
    });
    expect(() => alone.run(inputOf({ body: { v: 1 } }))).toThrow(failure);
    const throwing = compile({
      late: { custom: () => Promise.reject(new Error("ignored")) },
      v: {
        custom: () => {
          throw failure;
        },
      },
    });
    expect(() => throwing.run(inputOf({ body: { late: 1, v: 1 } }))).toThrow(failure);
    const rejecting = compile({
      a: { custom: () => Promise.reject(failure) },
      b: { custom: () => Promise.reject(failure) },
    });
    await expect(rejecting.run(inputOf({ body: { a: 1, b: 1 } }))).rejects.toBe(failure);
  });
});

test("pending rules are not unhandled rejections when another throws", async () => {
  const compiled = compile({
    first: { custom: () => Promise.reject(new Error("late")) },
    second: {
      custom: () => {
        throw new Error("at once");
      },
    },
  });
  const unhandled = await unhandledRejectionsOf(() => {
    expect(() => compiled.run(inputOf({ body: { first: 1, second: 1 } }))).toThrow("at once");
  });
  expect(unhandled).toEqual([]);
});

test("a message returned by custom takes precedence over the rule's message", async () => {
  const message = "v is wrong";
  const custom = (value: unknown) => (value === 1 ? "v is taken" : value === 2);
  expect(messagesOf({ v: { message, custom } }, { v: 1 })).toEqual(["v is taken"]);
  expect(messagesOf({ v: { message, custom } }, { v: 3 })).toEqual([message]);
  const later = async (value: unknown) => custom(value);
  const run = compile({ v: { message, custom: later } }).run(inputOf({ body: { v: 1 } }));
  expect(await run).toMatchObject({ errors: [{ message: "v is taken" }] });
});
