/*
 * Tests of vine, drawn at random and restated: titles.json has the judgement on each.
 */
import { json, type RouteValidation, type ValidationRule } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { createApp, sendForm, sendJson } from "../support/app.ts";
import { testDrawn } from "./support.ts";

const validating = (validation: RouteValidation) =>
  createApp((router) => router.post("/", (ctx) => json(ctx.validated ?? null), { validation }));

/** The messages for a JSON body with this value for the field `a`; none if it is valid. */
async function messages(rule: ValidationRule, value: unknown): Promise<readonly string[]> {
  const response = await validating({ a: rule }).request("/", sendJson({ a: value }));
  if (response.status === 200) return [];
  const { errors } = (await response.json()) as { errors: readonly { message: string }[] };
  return errors.map(({ message }) => message);
}

async function expectEach(
  rule: ValidationRule,
  valid: readonly unknown[],
  invalid: readonly unknown[],
): Promise<void> {
  for (const value of valid) expect([value, await messages(rule, value)]).toEqual([value, []]);
  for (const value of invalid) {
    expect([value, (await messages(rule, value)).length]).toEqual([value, 1]);
  }
}

testDrawn("vine", {
  "apply nullable modifier": async () => {
    const response = await validating({ a: { nullable: true } }).request(
      "/",
      sendJson({ a: null }),
    );
    expect(await response.json()).toEqual({ a: null });
    expect(await messages({ required: true }, null)).toEqual(["a is required"]);
  },

  "check if value is an object using IS_OF_TYPE method": () =>
    expectEach({ type: "string" }, ["", "a"], [{}, [], 1]),

  "pass validation when value is a string": () => expectEach({ type: "string" }, ["22"], [22]),

  "clone and apply rules": async () => {
    const number = { type: "number", min: 10 } as const;
    await expectEach({ ...number, max: 20 }, [10, 20], [9, 21]);
    await expectEach(number, [21], [9]);
  },

  "report error when year is not after or samea as the other field's value": async () => {
    const app = validating({
      checkin: { type: "date" },
      checkout: {
        type: "date",
        custom: (value, ctx) =>
          String(value).slice(0, 4) >= (ctx.body as { checkin: string }).checkin.slice(0, 4) ||
          "checkout must be a date after or same as checkin",
      },
    });
    const ask = async (checkout: string) =>
      app.request("/", sendJson({ checkin: "2022-01-22", checkout }));
    expect(await (await ask("2021-04-23")).json()).toMatchObject({
      errors: [{ field: "checkout", message: "checkout must be a date after or same as checkin" }],
    });
    expect((await ask("2022-01-01")).status).toBe(200);
  },

  "pass when union schema is valid": async () => {
    const contact = z.discriminatedUnion("type", [
      z.object({ type: z.literal("email"), email: z.email() }),
      z.object({ type: z.literal("phone"), phone: z.string() }),
    ]);
    const app = validating(z.object({ contacts: z.array(contact) }));
    const contacts = [
      { type: "email", email: "foo@bar.example" },
      { type: "phone", phone: "9210210102" },
    ];
    expect(await (await app.request("/", sendJson({ contacts }))).json()).toEqual({ contacts });
    const wrong = { contacts: [{ type: "email", phone: "9210210102" }] };
    expect((await app.request("/", sendJson(wrong))).status).toBe(422);
  },

  "apply optional modifier": async () => {
    const rule: ValidationRule = { enum: ["guest", "admin", "moderator"] };
    await expectEach(rule, ["guest"], ["root"]);
    expect((await validating({ a: rule }).request("/", sendJson({}))).status).toBe(200);
  },

  "check if the value is object": () =>
    expectEach({ type: "object", required: true }, [{}, { foo: "bar" }], [null, [], "hello"]),

  "allow other formats when timestamps are allowed": () =>
    expectEach(
      { type: "date" },
      ["2024-02-29", "2024-02-29T12:00:00Z"],
      [1_709_208_000_000, "1709208000000"],
    ),

  "create date schema": () => expectEach({ type: "date" }, ["2024-02-29"], ["2023-02-29", "soon"]),

  "disallow string representation in strict mode": () =>
    expectEach({ type: "number" }, [22], ["22", "NaN"]),

  "fail when field is defined but not accepted": async () => {
    const app = validating({ terms: { type: "boolean", required: true, enum: [true] } });
    const status = async (body: string) => (await app.request("/", sendForm(body))).status;
    expect([await status("terms=on"), await status("terms=true"), await status("terms=1")]).toEqual(
      [200, 200, 200],
    );
    expect([await status("terms=no"), await status("terms=off"), await status("")]).toEqual([
      422, 422, 422,
    ]);
  },

  "create literal schema": () => expectEach({ enum: [22] }, [22], ["22", 23]),

  "apply after rule": () => {
    const custom = (value: unknown) => String(value) > "2024-01-01" || "a must be after 2024-01-01";
    return expectEach({ type: "date", custom }, ["2024-01-02"], ["2023-12-31"]);
  },

  "report error when day is not the same": () =>
    expectEach({ type: "date", enum: ["2024-01-22"] }, ["2024-01-22"], ["2024-01-01"]),

  "apply maxLength rule": () =>
    expectEach(
      { type: "array", items: { type: "string" }, maxLength: 2 },
      [[], ["a", "b"]],
      [["a", "b", "c"]],
    ),
});
