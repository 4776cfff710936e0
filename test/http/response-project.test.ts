import { expect, test } from "vitest";
import { text } from "../../src/index.ts";
import { BufferedResponse } from "../../src/platform/response/buffered-response.ts";

test("the project node-response runs with the response class of Node, the others with the native one", ({
  task,
}) => {
  expect(BufferedResponse.is(text("a"))).toBe(task.file.projectName === "node-response");
});
