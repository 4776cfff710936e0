// Opens a page in Chromium that asks an application of another origin, and checks what the browser makes of its
// event streams and CORS headers. The expectations restate those of the Web Platform Tests.
import type { Browser, Page } from "playwright-core";
import { readChoices } from "../../scripts/runner/usage.ts";
import { chromiumPath, launchChromium } from "../../test/support/chromium.ts";
import { startServerProcess } from "../../test/support/server-process.ts";
import { startWorkerd } from "../../test/support/workerd.ts";
import { Finding } from "../support/finding.ts";
import { runProof } from "../support/run-proof.ts";
import { startPageServer } from "./page-server.ts";

const runtimes = ["node", "workerd"] as const;
type Runtime = (typeof runtimes)[number];

interface Case {
  readonly group: string;
  readonly title: string;
}

await runProof("browser", { runtime: "string" }, async (proof, options) => {
  if (chromiumPath === undefined) proof.skip("Chromium is not installed");
  const usual = proof.isQuick ? (["node"] as const) : runtimes;
  const pages = await startPageServer();
  const browser = await launchChromium();
  proof.addVersion("chromium", browser.version());
  try {
    for (const runtime of readChoices("--runtime", options.runtime, runtimes, usual)) {
      const server = await startServer(runtime, pages.origin);
      try {
        for (const finding of await runCases(browser, pages.origin, server.origin)) {
          proof.addFinding(finding, runtime);
        }
      } finally {
        await server.stop();
      }
    }
  } finally {
    await browser.close();
    pages.stop();
  }
});

interface Server {
  readonly origin: string;
  readonly stop: () => Promise<unknown>;
}

async function startServer(runtime: Runtime, pageOrigin: string): Promise<Server> {
  if (runtime === "workerd") {
    const mf = await startWorkerd("proof/browser/worker.ts", {
      hasOwnSocket: true,
      env: { PAGE_ORIGIN: { type: "text", value: pageOrigin } },
    });
    const { port } = await mf.unsafeGetDirectURL();
    return { origin: `http://127.0.0.1:${port}`, stop: () => mf.dispose() };
  }
  const env = { PAGE_ORIGIN: pageOrigin };
  const server = await startServerProcess("proof/browser/listen.ts", runtime, env);
  const { port } = new URL(server.url);
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.stop() };
}

/** Runs all cases of the page one after the other, and returns a finding for each group. */
async function runCases(browser: Browser, pageOrigin: string, origin: string): Promise<Finding[]> {
  const page = await openPage(browser, pageOrigin);
  const cases = await page.evaluate<readonly Case[]>("titles");
  const findings = new Map<string, Finding>();
  for (const [index, { group, title }] of cases.entries()) {
    const finding = findings.get(group) ?? new Finding(group);
    findings.set(group, finding);
    finding.tried += 1;
    const script = `runCase(${index}, ${JSON.stringify(origin)})`;
    const fault = await page.evaluate<string | null>(script);
    if (fault !== null) finding.fault(title, fault);
  }
  await page.close();
  return [...findings.values()];
}

async function openPage(browser: Browser, pageOrigin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${pageOrigin}/`);
  await page.waitForFunction("globalThis.titles !== undefined");
  return page;
}
