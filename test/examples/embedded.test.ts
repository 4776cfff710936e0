import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EdgeRuntime, runServer } from "edge-runtime";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../support/bundle.ts";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { hasCurl, runCurlLines } from "./curl-lines.ts";
import { type Program, programs, startProgram } from "./embedded-programs.ts";

/** Request and response in a form that every server and a page can use. */
interface Question {
  readonly method?: string;
  readonly path: string;
  readonly json?: object;
}
interface Answer {
  readonly status: number;
  readonly body: unknown;
}
type Ask = (question: Question) => Promise<Answer>;

/** Differences between the servers. */
interface Place {
  /** From the configuration: differs from the default only where there is an environment. */
  readonly word: "Ahoy" | "Hello";
  /** The client's address, if the server provides it. */
  readonly address: unknown;
}

function runAll(ask: Ask, { word, address }: Place): void {
  test("a function and a controller respond", async () => {
    const greeting = { greeting: `${word}, Ada Ü!` };
    expect(await ask({ path: "/api/hello/Ada%20%C3%9C" })).toEqual({ status: 200, body: greeting });
    const counted = await ask({
      method: "POST",
      path: "/api/words",
      json: { text: "one two, three" },
    });
    expect(counted).toEqual({ status: 200, body: { words: 3 } });
  });

  test("an invalid body, an unknown path and a wrong method respond with Problem Details", async () => {
    const wrong = await ask({ method: "POST", path: "/api/words", json: { text: 7 } });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: "text" }] } });
    expect(await ask({ path: "/api/nothing" })).toMatchObject({
      status: 404,
      body: { detail: "No route matches GET /api/nothing." },
    });
    expect((await ask({ method: "PUT", path: "/api/words" })).status).toBe(405);
  });

  test("the client's address is available if the server provides it", async () => {
    expect(await ask({ path: "/api/visitor" })).toEqual({ status: 200, body: { address } });
  });
}

/** IPv4 or IPv6, depending on the machine. */
const ownAddress = expect.toSatisfy((address) => ["127.0.0.1", "::1"].includes(String(address)));

describe.each(Object.keys(programs) as (keyof typeof programs)[])("%s", (file) => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(file);
  });
  afterAll(async () => {
    // The programs for Node shut down gracefully; the others are killed by the signal.
    expect(await program.stop()).toBe(file.startsWith("node") ? 0 : null);
  });
  runAll((question) => askOver(program.url, question), { word: "Ahoy", address: ownAddress });

  if (file !== "node-http.ts") return;
  test("the existing server keeps its pages", async () => {
    for (const path of ["/", "/apiary"]) {
      const response = await fetch(`${program.url}${path}`);
      expect(await response.text()).toBe("A page of the existing server.");
    }
  });
});

test.skipIf(!hasCurl)("the README's curl commands respond with the documented status", async () => {
  const server = await startProgram("node-listen.ts");
  try {
    const outcomes = runCurlLines("embedded", server.url);
    expect(outcomes.length).toBeGreaterThan(3);
    for (const { line, promised, answered } of outcomes) {
      expect([line, answered]).toEqual([line, promised]);
    }
  } finally {
    await server.stop();
  }
});

describe("next/app/api/[[...path]]/route.ts in Vercel's edge runtime", () => {
  let server: Awaited<ReturnType<typeof runServer>>;
  beforeAll(async () => {
    const { code } = await bundle("test/examples/embedded-edge.ts", "browser", "iife");
    const runtime = new EdgeRuntime({
      initialCode: code,
      // Next.js provides environment variables here.
      extend: (context) => Object.assign(context, { process: { env: { GREETING_WORD: "Ahoy" } } }),
    });
    server = await runServer({ runtime, host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close());
  const place: Place = { word: "Ahoy", address: null };
  runAll((question) => askOver(server.url.replace(/\/$/, ""), question), place);
});

// Requires an installed browser.
describe.skipIf(chromiumPath === undefined)("service-worker.ts in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const { code } = await bundle("examples/embedded/service-worker.ts", "browser");
    server = createServer((request, response) => {
      const isScript = request.url === "/service-worker.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? code : "From the network.");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.evaluate(async () => {
      const { serviceWorker } = navigator;
      const controlled = new Promise((resolve) =>
        serviceWorker.addEventListener("controllerchange", resolve),
      );
      await serviceWorker.register("/service-worker.js", { type: "module" });
      await controlled;
    });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });
  runAll((question) => page.evaluate(askInPage, question), { word: "Hello", address: null });

  test("other paths are fetched from the network", async () => {
    const text = await page.evaluate(async () => (await fetch("/elsewhere")).text());
    expect(text).toBe("From the network.");
  });
});

function askOver(base: string, question: Question): Promise<Answer> {
  return askInPage({ ...question, path: base + question.path });
}

/** Also runs in the page. */
async function askInPage({ method = "GET", path, json }: Question): Promise<Answer> {
  const content =
    json === undefined
      ? {}
      : { body: JSON.stringify(json), headers: { "content-type": "application/json" } };
  const response = await fetch(path, { method, ...content });
  return { status: response.status, body: await response.json() };
}
