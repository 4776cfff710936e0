// Runs the public specification of Todo-Backend, a page with Mocha, in Chromium against the example on
// Node and on workerd.
//
//   node proof/todo-backend.mjs --spec FOLDER
//
// FOLDER is a checkout of the repository TodoBackend/todo-backend-js-spec. The package must be built. Exit
// code 1 when a point of the specification fails.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { platforms, startTodoServer } from "../test/examples/todo-backend-servers.ts";
import { launchChromium } from "../test/support/chromium.ts";

const { values: options } = parseArgs({ options: { spec: { type: "string" } } });
if (options.spec === undefined || !existsSync(join(options.spec, "js", "specs.js"))) {
  console.error("Give --spec FOLDER, a checkout of TodoBackend/todo-backend-js-spec.");
  process.exit(2);
}

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const limitMs = 60_000;

/** Serves the files of the specification. */
async function serveFolder(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(folder, normalize(pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Opens the page for one API, waits until Mocha is through, and gives the titles by outcome. */
async function runSpecification(browser, origin, todosUrl) {
  const page = await browser.newPage();
  // The page shows a picture of another site, which says nothing about the API.
  await page.route(
    (url) => url.hostname !== "127.0.0.1",
    (route) => route.abort(),
  );
  await page.goto(`${origin}/index.html?${todosUrl}`);
  // `runner` is what the page itself keeps of Mocha; its reporter shows a line for each test.
  const done = "document.querySelectorAll('#mocha-report .test').length >= runner.total";
  await page.waitForFunction(done, undefined, { timeout: limitMs });
  const read = (kind) =>
    page.$$eval(`#mocha-report .test.${kind} h2`, (headings) =>
      headings.map((heading) => heading.firstChild.textContent),
    );
  const outcome = { passed: await read("pass:not(.pending)"), failed: await read("fail") };
  const total = await page.evaluate("runner.total");
  await page.close();
  return { ...outcome, skipped: total - outcome.passed.length - outcome.failed.length };
}

const pages = await serveFolder(options.spec);
const browser = await launchChromium();
try {
  for (const platform of platforms) {
    const server = await startTodoServer(platform);
    const { passed, failed, skipped } = await runSpecification(
      browser,
      pages.origin,
      server.todosUrl,
    );
    await server.stop();
    console.log(
      `${platform}: ${passed.length} passed, ${failed.length} failed, ${skipped} skipped`,
    );
    for (const title of failed) console.log(`  failed: ${title}`);
    if (failed.length > 0 || skipped > 0 || passed.length === 0) process.exitCode = 1;
  }
} finally {
  await browser.close();
  pages.close();
}
