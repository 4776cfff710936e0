import type { ModuleWorker } from "espalier";
import { beforeAll, describe, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { curlExchanges } from "./curl-exchanges.ts";
import { importBlocks } from "./import-blocks.ts";

describe.each(["README.md", "docs/index.md"])("the application of %s", (page) => {
  const blocks = codeBlocks(page);
  const exchanges = curlExchanges(blocks);
  let worker: ModuleWorker;

  beforeAll(async () => {
    const [application] = blocks.filter(isChecked);
    if (application === undefined) throw new Error(`${page} has no application`);
    const files = new Map([["application.ts", application]]);
    ({ default: worker } = (await importBlocks(files, "application.ts")) as {
      default: ModuleWorker;
    });
  });

  test("there are requests to try", () => {
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
  });

  test.each(exchanges)("$command", async ({ request, answer }) => {
    const response = await worker.fetch(request(new Map()));
    expect(await response.text()).toMatch(answer);
  });
});
