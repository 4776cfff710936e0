import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { z } from "zod";
import { type OpenApiOptions, text } from "../../src/index.ts";
import { exposed } from "./support/expose.ts";

async function described(errors?: OpenApiOptions["errors"]) {
  const { app, document } = exposed(errors === undefined ? {} : { errors });
  app.getRouter().post("/books/:id(\\d+)", () => text("ok"), {
    validation: { body: { title: { required: true, type: "string" } } },
    responses: { 200: "Fine.", 409: "It is there already." },
  });
  const description = await document();
  const checked = await new Validator().validate(structuredClone(description));
  expect(checked).toEqual({ valid: true });
  return description;
}

/** Returns the media types of each error. */
async function errorContents(errors?: OpenApiOptions["errors"]): Promise<Record<string, unknown>> {
  const { paths } = await described(errors);
  const responses = Object.values(paths)[0]?.["post"]?.responses ?? {};
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { content }]) => [status, content]),
  );
}

const own = { type: "object", properties: { message: { type: "string" } } };

test("errors are Problem Details by default", async () => {
  const contents = await errorContents();
  expect(Object.keys(contents)).toEqual(["400", "404", "409", "413", "415", "422"]);
  for (const content of Object.values(contents)) {
    expect(Object.keys(content as object)).toEqual(["application/problem+json"]);
  }
});

test("every error has the configured format of onError", async () => {
  const reference = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  expect(await errorContents({ schema: own })).toEqual(
    Object.fromEntries(["400", "404", "409", "413", "415", "422"].map((s) => [s, reference])),
  );
  const { components } = await described({ schema: own });
  expect(components?.["schemas"]).toEqual({ Error: own });
});

test("another media type, and a schema of a library, are accepted", async () => {
  const errors = { type: "application/vnd.acme+json", schema: z.object({ code: z.string() }) };
  const contents = await errorContents(errors);
  expect(Object.keys(contents["422"] as object)).toEqual(["application/vnd.acme+json"]);
  const { components } = await described(errors);
  expect(components?.["schemas"]).toMatchObject({ Error: { required: ["code"] } });
});
