import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";
import { type Consumer, installPacked } from "../support/packed-package.ts";

const binary = (name: string): string => join(root, "node_modules", ".bin", name);

const application = `
import { Application, json } from "espalier";
export const app = new Application({ host: "127.0.0.1" });
const router = app.getRouter();
router.get("/hello/:name(\\\\w+)", (ctx) => json({ hello: ctx.params.name, engine: router.matcher.engine }));
`;

const selfTest = `
import { app } from "./app.mjs";
const { url } = await app.listen({ port: 0 });
const response = await fetch(url + "hello/world");
console.log(await response.text());
await app.stop();
`;

describe("installed from its tarball", () => {
  let consumer: Consumer;
  beforeAll(() => {
    consumer = installPacked();
    consumer.write("app.mjs", application);
    consumer.write("self-test.mjs", selfTest);
  });
  afterAll(() => consumer.remove());

  const run = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, {
      cwd: consumer.folder,
      encoding: "utf8",
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
      timeout: 60_000,
    }).trim();

  const expected = '{"hello":"world","engine":"wasm"}';

  test("listens on Node", () => {
    expect(run(process.execPath, ["self-test.mjs"])).toBe(expected);
  });

  test("listens on Deno", () => {
    const deno = [
      "run",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--no-lock",
      "self-test.mjs",
    ];
    expect(run(binary("deno"), deno)).toBe(expected);
  });

  test("listens on Bun", () => {
    expect(run(binary("bun"), ["self-test.mjs"])).toBe(expected);
  });

  test("is bundled by wrangler and runs in workerd, where listen says what to do", async () => {
    consumer.write(
      "worker.mjs",
      `import { app } from "./app.mjs";
       import { text } from "espalier";
       app.getRouter().get("/listen", () => app.listen().then(() => text("?"), (error) => text(error.message)));
       export default app.worker();`,
    );
    const config = {
      name: "consumer",
      main: "worker.mjs",
      compatibility_date: "2026-11-01",
      send_metrics: false,
    };
    consumer.write("wrangler.json", JSON.stringify(config));
    execFileSync(
      process.execPath,
      [
        join(root, "node_modules/wrangler/bin/wrangler.js"),
        "deploy",
        "--dry-run",
        "--outdir",
        "out",
      ],
      {
        cwd: consumer.folder,
        env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
        stdio: "pipe",
      },
    );
    const out = join(consumer.folder, "out");
    const modules: Record<string, unknown> = {
      "worker.js": { type: "esm", contents: readFileSync(join(out, "worker.js"), "utf8") },
    };
    for (const name of readdirSync(out).filter((file) => file.endsWith(".wasm"))) {
      modules[name] = { type: "wasm", contents: readFileSync(join(out, name)) };
    }
    const mf = new Miniflare({
      cf: false,
      workers: [
        {
          config: {
            name: "consumer",
            compatibilityDate: "2026-11-01",
            manifest: { mainModule: "worker.js", modulesRoot: "/", modules },
          },
        },
      ],
    } as never);
    try {
      expect(await (await mf.dispatchFetch("http://localhost/hello/world")).text()).toBe(expected);
      expect(await (await mf.dispatchFetch("http://localhost/listen")).text()).toContain(
        "export default app.worker()",
      );
    } finally {
      await mf.dispose();
    }
  });
});
