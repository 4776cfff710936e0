import { text } from "espalier";
import { expect, test } from "vitest";
import { createFunctionHandler } from "../../src/controllers/function-handler.ts";

const handler = () => text("a");
const route = (method: string) => ({ method, parameters: [], validation: [] });
const withoutRules = () => undefined;

test("a function for GET without rules is called directly", () => {
  expect(createFunctionHandler(handler, route("GET"), withoutRules)).toBe(handler);
});

test.each(["POST", "DELETE", "ALL"])("a function for %s waits for the body", (method) => {
  expect(createFunctionHandler(handler, route(method), withoutRules)).not.toBe(handler);
});

test("a function with rules is called after validation", () => {
  const compile = () => ({ checkRequest: () => undefined });
  expect(createFunctionHandler(handler, route("GET"), compile)).not.toBe(handler);
});
