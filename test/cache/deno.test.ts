import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle, root } from "../support/bundle.ts";

const deno = join(root, "node_modules/.bin/deno");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-deno-kv-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("passes the suite on a Deno KV on disk", async () => {
  const script = join(folder, "suite.js");
  await writeFile(script, (await bundle("test/cache/support/deno-suite.ts", "deno")).code);
  const access = [`--allow-read=${folder}`, `--allow-write=${folder}`];
  const run = ["run", "--no-config", "--unstable-kv", ...access, script, join(folder, "kv.sqlite")];
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: "1" };
  const { stdout } = await promisify(execFile)(deno, run, { env, cwd: folder, timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual({ passed: 22, failures: [] });
}, 90_000);
