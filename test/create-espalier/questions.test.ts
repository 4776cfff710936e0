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

/** Runs the command and sends these keys, each list when its prompt is shown. */
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
    // After the prompt has been rendered completely.
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

test("prompts for missing values", async () => {
  const { status } = await answer(
    [],
    ["Where should the project be created?", [join(folder, "shop"), enter]],
    ["Which platform?", [down, down, enter]],
    ["Which features?", [space, enter]],
  );
  expect(status).toBe(0);
  expect(existsSync(join(folder, "shop/deno.json"))).toBe(true);
  const app = readFileSync(join(folder, "shop/src/app.ts"), "utf8");
  expect(app).toContain("registerAuth");
  expect(app).toContain("exposeOpenApi");
  expect(app).not.toContain("registerJobs");
});

test("does not prompt for values given as options", async () => {
  const { shown } = await answer([join(folder, "shop"), "-p", "node", "-f", "none"]);
  expect(shown).toBe("");
});

test("does not prompt with --yes", async () => {
  const { shown } = await answer([join(folder, "shop"), "--yes"]);
  expect(shown).toBe("");
  expect(existsSync(join(folder, "shop/wrangler.toml"))).toBe(true);
});

test("writes nothing if a prompt is cancelled", async () => {
  const left = answer([join(folder, "shop")], ["Which platform?", [interrupt]]);
  await expect(left).rejects.toThrow("Cancelled; nothing was written.");
  expect(existsSync(join(folder, "shop"))).toBe(false);
});
