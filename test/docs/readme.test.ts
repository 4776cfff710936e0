import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModuleWorker } from "espalier";
import { beforeAll, describe, expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.ts";

const blocks = codeBlocks("README.md");

/** A `curl` line of the README, and the answer that stands below it. */
interface Exchange {
  readonly command: string;
  readonly url: string;
  readonly answer: string;
}

const exchanges: readonly Exchange[] = blocks
  .filter(({ language, text }) => language === "sh" && text.startsWith("$ curl"))
  .flatMap(({ text }) => text.split(/^\$ /m).filter((part) => part !== ""))
  .map((part) => {
    const [command = "", ...answer] = part.trimEnd().split("\n");
    const url = /^curl '(localhost:\d+[^']*)'$/.exec(command)?.[1];
    if (url === undefined) throw new Error(`README.md: a test cannot run "${command}"`);
    return { command, url: `http://${url}`, answer: answer.map((line) => line.trim()).join("") };
  });

/** What the README shows, as a pattern: `…` stands for what it leaves out. */
function patternOf(answer: string): RegExp {
  const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${answer.split("…").map(escapeText).join(".*")}$`);
}

describe("the application of the README", () => {
  let worker: ModuleWorker;

  beforeAll(async () => {
    const [application] = blocks.filter(({ language }) => language === "ts");
    if (application === undefined) throw new Error("README.md has no application");
    const folder = mkdtempSync(join(tmpdir(), "espalier-readme-"));
    const file = join(folder, "application.ts");
    writeFileSync(file, application.text);
    try {
      ({ default: worker } = (await import(file)) as { default: ModuleWorker });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("there are requests to try", () => {
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
  });

  test.each(exchanges)("$command", async ({ url, answer }) => {
    const response = await worker.fetch(new Request(url));
    expect(await response.text()).toMatch(patternOf(answer));
  });
});
