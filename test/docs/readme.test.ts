import type { ModuleWorker } from "espalier";
import { Auth } from "espalier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { curlExchanges } from "./curl-exchanges.ts";
import { importBlocks } from "./import-blocks.ts";

const secret = "a secret of the tests, 32 bytes or more";

describe.each(["README.md", "docs/index.md"])("the application of %s", (page) => {
  const blocks = codeBlocks(page);
  const exchanges = curlExchanges(blocks);
  const variables = new Map<string, string>();
  let worker: ModuleWorker;

  beforeAll(async () => {
    process.env["JWT_SECRET"] = secret;
    const user = { id: "ada", roles: ["librarian"] };
    variables.set("TOKEN", await new Auth({ secret }).generateToken(user));
    const [application] = blocks.filter(isChecked);
    if (application === undefined) throw new Error(`${page} has no application`);
    const files = new Map([["application.ts", application]]);
    ({ default: worker } = (await importBlocks(files, "application.ts")) as {
      default: ModuleWorker;
    });
  });

  afterAll(() => {
    delete process.env["JWT_SECRET"];
  });

  test("there are requests to try", () => {
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
  });

  test.each(exchanges)("$command", async ({ request, answer }) => {
    const response = await worker.fetch(request(variables));
    expect(await response.text()).toMatch(answer);
  });
});
