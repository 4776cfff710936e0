// Runs the public specification of Todo-Backend, a page with Mocha, in Chromium against its example.
//
// The specification is a checkout of the repository TodoBackend/todo-backend-js-spec: by default in
// node_modules/.cache/todo-backend-js-spec.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { root } from "../../scripts/runner/root.ts";
import { readChoices } from "../../scripts/runner/usage.ts";
import { platforms, startTodoServer } from "../../test/examples/todo-backend-servers.ts";
import { chromiumPath, launchChromium } from "../../test/support/chromium.ts";
import { runProof } from "../support/run-proof.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
const limitMs = 60_000;

await runProof("todo-backend", { spec: "string", runtime: "string" }, async (proof, options) => {
  const folder = resolve(options.spec ?? join(root, "node_modules/.cache/todo-backend-js-spec"));
  if (!existsSync(join(folder, "js/specs.js"))) {
    proof.skip("needs --spec FOLDER: a checkout of TodoBackend/todo-backend-js-spec");
  }
  if (chromiumPath === undefined) proof.skip("Chromium is not installed");
  const usual = proof.isQuick ? (["node"] as const) : platforms;
  const runtimes = readChoices("--runtime", options.runtime, platforms, usual);
  const page = await serveFolder(folder);
  const browser = await launchChromium();
  try {
    for (const runtime of runtimes) {
      const server = await startTodoServer(runtime);
      try {
        const result = await runSpecification(browser, page.origin, server.todosUrl);
        const { passed, failed, skipped } = result;
        const faults = failed.map((title) => `failed: ${title}`);
        if (skipped > 0 || passed.length === 0) {
          faults.push(`${passed.length} passed, ${skipped} skipped`);
        }
        const tried = passed.length + failed.length + skipped;
        proof.add({ case: "all", runtime, tried, unit: "tests", faults });
      } finally {
        await server.stop();
      }
    }
  } finally {
    await browser.close();
    page.close();
  }
});

/** Serves the files of the specification. */
async function serveFolder(
  folder: string,
): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(folder, normalize(pathname));
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", contentTypes[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

interface SpecificationResult {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: number;
}

/** Opens the page for one API, waits until Mocha has ended, and returns the titles by result. */
async function runSpecification(
  browser: Browser,
  origin: string,
  todosUrl: string,
): Promise<SpecificationResult> {
  const page = await browser.newPage();
  // The page shows a picture of another site, which is irrelevant to the API.
  await page.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.abort(),
  );
  await page.goto(`${origin}/index.html?${todosUrl}`);
  // `runner` is a global variable of the page; its reporter shows a line for each test.
  const done = "document.querySelectorAll('#mocha-report .test').length >= runner.total";
  await page.waitForFunction(done, undefined, { timeout: limitMs });
  const read = (kind: string): Promise<string[]> =>
    page.$$eval(`#mocha-report .test.${kind} h2`, (headings) =>
      headings.map((heading) => heading.firstChild?.textContent ?? ""),
    );
  const passed = await read("pass:not(.pending)");
  const failed = await read("fail");
  const total = Number(await page.evaluate("runner.total"));
  await page.close();
  return { passed, failed, skipped: total - passed.length - failed.length };
}
