import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/bundle.ts";

test("what Deno.openKv gives is a queue's and a cache's database", () => {
  const folder = mkdtempSync(join(tmpdir(), "espalier-deno-kv-"));
  const file = join(folder, "kv.ts");
  writeFileSync(
    file,
    `import { DenoKvCacheStore } from "${root}src/platform/deno/kv-cache-store.ts";
     import { DenoKvQueueAdapter } from "${root}src/platform/deno/kv-queue-adapter.ts";
     export const queue = new DenoKvQueueAdapter({ kv: () => Deno.openKv() });
     export const opened = new DenoKvQueueAdapter({ kv: await Deno.openKv() });
     export const store = new DenoKvCacheStore(() => Deno.openKv());`,
  );
  const check = (): string =>
    execFileSync(
      join(root, "node_modules/.bin/deno"),
      ["check", "--quiet", "--unstable-kv", "--no-config", "--no-lock", file],
      { cwd: folder, encoding: "utf8", stdio: "pipe", env: { ...process.env, NO_COLOR: "1" } },
    );
  try {
    expect(check).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
