import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Application, ApplicationOptions } from "espalier";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { projectFiles } from "../../create-espalier/src/project-files.ts";
import { writeFiles } from "../../create-espalier/src/target-folder.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { combinations } from "./combinations.ts";

const guarded = combinations.filter(
  ({ project: { features, platform } }) => features.has("auth") && /node|cloudflare/.test(platform),
);
const folder = mkdtempSync(join(tmpdir(), "espalier-guards-"));

beforeAll(() => {
  for (const { title, project } of guarded) writeFiles(join(folder, title), projectFiles(project));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv("AUTH_SECRET", "x".repeat(32));
  vi.stubEnv("AUTH_ADMIN_PASSWORD", "a password for the tests");
});
afterEach(() => void vi.unstubAllEnvs());

test.each(guarded)("$title: what its README requests with a token is guarded", async (one) => {
  const { createApp } = (await import(join(folder, one.title, "src/app.ts"))) as {
    createApp(options: ApplicationOptions): Application;
  };
  const app = createApp({ logger: createRecordingLogger() });
  const readme = projectFiles(one.project).get("README.md") ?? "";
  const calls = /^curl 'https?:\/\/[^/]+(\/[^']*)' --oauth2-bearer '<token>'( --json)?/gm;
  const requests = [...readme.matchAll(calls)];
  expect(requests).toHaveLength(one.project.features.has("queue") ? 2 : 1);
  for (const [, path = "", sends] of requests) {
    const response = await app.request(path, { method: sends === undefined ? "GET" : "POST" });
    expect([path, response.status]).toEqual([path, 401]);
  }
  await app.stop();
});
