import type { ModuleWorker } from "espalier";
import { beforeAll, describe, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { curlExchanges } from "./curl-exchanges.ts";
import { importBlocks } from "./import-blocks.ts";

const blocks = codeBlocks("README.md");
const exchanges = curlExchanges(blocks);

describe("the application of the README", () => {
  let worker: ModuleWorker;

  beforeAll(async () => {
    const [application] = blocks.filter(isChecked);
    if (application === undefined) throw new Error("README.md has no application");
    const imported = await importBlocks(
      new Map([["application.ts", application]]),
      "application.ts",
    );
    ({ default: worker } = imported as { default: ModuleWorker });
  });

  test("there are requests to try", () => {
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
  });

  test.each(exchanges)("$command", async ({ request, answer }) => {
    const response = await worker.fetch(request(new Map()));
    expect(await response.text()).toMatch(answer);
  });
});
