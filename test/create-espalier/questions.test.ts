import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readArguments } from "../../create-espalier/src/arguments.ts";
import { createProject } from "../../create-espalier/src/create-project.ts";

const [enter, down, space, interrupt] = ["\r", "\u001b[B", " ", "\u0003"];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "create-espalier-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command with somebody who presses these keys, each list when its question is shown. */
async function answer(words: readonly string[], ...answers: [question: string, keys: string[]][]) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 100, rows: 40 });
  let shown = "";
  const waiting = [...answers];
  output.on("data", (chunk) => {
    shown += chunk;
    const [question, keys] = waiting[0] ?? [];
    if (question === undefined || !shown.includes(question)) return;
    waiting.shift();
    // When the question has been asked to its end.
    setTimeout(() => {
      for (const key of keys ?? []) input.write(key);
    }, 50);
  });
  const status = await createProject(readArguments([...words, "--no-install", "--no-git"]), {
    version: "0.1.0",
    terminal: { input, output },
    userAgent: undefined,
    print: () => {},
  });
  return { status, shown };
}

test("asks for what was not said, and writes that", async () => {
  const { status } = await answer(
    [],
    ["What is it called?", [join(folder, "shop"), enter]],
    ["Where does it run?", [down, down, enter]],
    ["What does it need?", [space, enter]],
  );
  expect(status).toBe(0);
  expect(existsSync(join(folder, "shop/deno.json"))).toBe(true);
  const app = readFileSync(join(folder, "shop/src/app.ts"), "utf8");
  expect(app).toContain("registerAuth");
  expect(app).toContain("exposeOpenApi");
  expect(app).not.toContain("registerJobs");
});

test("asks nothing that was said", async () => {
  const { shown } = await answer([join(folder, "shop"), "-p", "node", "-f", "none"]);
  expect(shown).toBe("");
});

test("asks nothing with --yes", async () => {
  const { shown } = await answer([join(folder, "shop"), "--yes"]);
  expect(shown).toBe("");
  expect(existsSync(join(folder, "shop/wrangler.toml"))).toBe(true);
});

test("writes nothing for somebody who leaves", async () => {
  const left = answer([join(folder, "shop")], ["Where does it run?", [interrupt]]);
  await expect(left).rejects.toThrow("Nothing was written.");
  expect(existsSync(join(folder, "shop"))).toBe(false);
});
