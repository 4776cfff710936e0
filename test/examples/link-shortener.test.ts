import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath, launchChromium } from "../support/chromium.ts";
import { type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { startWorkerd } from "../support/workerd.ts";
import { hasCurl, runCurlLines } from "./curl-lines.ts";
import { type LinkShortener, openLinkShortener } from "./link-shortener.ts";
import { dataOf, errorsOf, problemOf, type Send, sendTo, withJson } from "./send.ts";

interface LinkAnswer {
  readonly slug: string;
  readonly shortUrl: string;
  readonly target: string;
  readonly expiresAt: string;
  readonly clicks: number;
}

const target = "https://long.example/a/very/long/path?with=a&query=%20#and-more";
const dayMs = 24 * 60 * 60 * 1000;
const browserHeaders = { accept: "text/html,*/*;q=0.8" };

const create = (send: Send, fields: object): Promise<Response> =>
  send("/links", withJson("POST", fields));

const clicksOf = async (send: Send, slug: string): Promise<number> =>
  (await dataOf<LinkAnswer>(await send(`/links/${slug}`))).clicks;

function formOf(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { ...browserHeaders, "sec-fetch-site": "same-origin", ...headers },
    redirect: "manual",
  };
}

/** Test cases for every runtime; together they create fewer links than the rate limit allows. */
const assertions: readonly { title: string; run(send: Send): Promise<void> }[] = [
  {
    title: "a link redirects, and the queue counts every click",
    async run(send) {
      const created = await create(send, { url: target });
      expect(created.status).toBe(201);
      const link = await dataOf<LinkAnswer>(created.clone());
      expect(link).toMatchObject({ target, clicks: 0 });
      expect(link.slug).toMatch(/^[b-df-hj-np-tv-z2-9]{8}$/);
      expect(created.headers.get("location")).toBe(`/links/${link.slug}`);
      expect(new URL(link.shortUrl).pathname).toBe(`/${link.slug}`);
      for (let click = 0; click < 3; click += 1) {
        const followed = await send(`/${link.slug}`);
        expect([followed.status, followed.headers.get("location")]).toEqual([302, target]);
        expect(followed.headers.get("cache-control")).toBe("no-store");
      }
      const asked = await send(`/${link.slug}`, { method: "HEAD" });
      expect([asked.status, asked.headers.get("location")]).toEqual([302, target]);
      await expect.poll(() => clicksOf(send, link.slug), { timeout: 10_000 }).toBe(3);
    },
  },
  {
    title: "clicks of a link are not counted for a link whose slug is a prefix of its slug",
    async run(send) {
      await create(send, { url: target, slug: "tea" });
      await create(send, { url: target, slug: "tea-time" });
      await send("/tea-time");
      await expect.poll(() => clicksOf(send, "tea-time"), { timeout: 10_000 }).toBe(1);
      expect(await clicksOf(send, "tea")).toBe(0);
    },
  },
  {
    title: "a slug is unique, and a link keeps its target",
    async run(send) {
      expect((await create(send, { url: target, slug: "mine" })).status).toBe(201);
      const taken = await create(send, { url: "https://other.example/", slug: "mine" });
      expect(await errorsOf(taken)).toEqual([422, { slug: "slug is taken" }]);
      expect((await send("/mine")).headers.get("location")).toBe(target);
    },
  },
  {
    title: "browsers get pages: the form, the link, and every error",
    async run(send) {
      const home = await send("/", { headers: browserHeaders });
      expect(await home.text()).toContain('<form method="post" action="/links">');
      const policy = home.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; .*style-src 'nonce-[\w+/=-]+'; /);
      expect(home.headers.get("referrer-policy")).toBe("same-origin");
      expect(home.headers.get("x-content-type-options")).toBe("nosniff");

      // An empty field of a form counts as missing.
      const made = await send("/links", formOf({ url: `${target}<b>`, slug: "", days: "" }));
      const location = made.headers.get("location") ?? "";
      expect([made.status, location]).toEqual([303, expect.stringMatching(/^\/links\/\w{8}$/)]);
      const page = await (await send(location, { headers: browserHeaders })).text();
      expect(page).toContain("<dd>https://long.example/a/very/long/path?with=a&amp;query=%20#");
      expect(page).not.toContain("<b>");

      const wrong = await send("/links", formOf({ url: 'ftp://"><b>.example', days: "0" }));
      const complaint = await wrong.text();
      expect([wrong.status, wrong.headers.get("content-type")]).toEqual([
        422,
        "text/html; charset=utf-8",
      ]);
      expect(complaint).toContain("url must be a valid URL");
      expect(complaint).toContain("days must be");
      expect(complaint).toContain('value="ftp://&quot;&gt;&lt;b&gt;.example"');

      const odd = withJson("POST", { url: { toString: 1 }, days: null });
      const headers = { ...browserHeaders, "content-type": "application/json" };
      expect((await send("/links", { ...odd, headers })).status).toBe(422);

      const missing = await send("/nowhere", { headers: browserHeaders });
      expect([missing.status, await missing.text()]).toEqual([
        404,
        expect.stringContaining("Link not found."),
      ]);
      expect((await send("/no/route", { headers: browserHeaders })).status).toBe(404);
    },
  },
  {
    title: "a program gets Problem Details",
    async run(send) {
      expect(await problemOf(await send("/nowhere"))).toEqual([404, "Link not found."]);
      expect(await problemOf(await send("/links/nowhere"))).toEqual([404, "Link not found."]);
      expect((await send("/favicon.ico")).status).toBe(404);
    },
  },
  {
    title: "cross-site form submissions are rejected",
    async run(send) {
      for (const site of ["cross-site", "same-site"]) {
        const refused = await send("/links", formOf({ url: target }, { "sec-fetch-site": site }));
        expect([refused.status, await refused.text()]).toEqual([
          403,
          expect.stringContaining("another site&#39;s page"),
        ]);
      }
    },
  },
  {
    title: "creation is rate limited",
    async run(send) {
      let response = await create(send, { url: target });
      for (let more = 0; more < 20 && response.status === 201; more += 1) {
        response = await create(send, { url: target });
      }
      expect(response.status).toBe(429);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      const page = await send("/links", formOf({ url: target }));
      expect([page.status, page.headers.get("content-type")]).toEqual([
        429,
        "text/html; charset=utf-8",
      ]);
      expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
      // Following links is not limited.
      for (let click = 0; click < 25; click += 1) {
        expect((await send("/mine")).status).toBe(302);
      }
    },
  },
];

describe("the link shortener on workerd, with KV, a queue and a Durable Object", () => {
  let mf: Miniflare;
  let send: Send;
  beforeAll(async () => {
    mf = await startWorkerd("examples/link-shortener/worker.ts", {
      env: {
        KV: { type: "kv", id: "KV" },
        QUEUE: { type: "queue", name: "link-clicks" },
        RATE_LIMIT: {
          type: "durable-object",
          worker: "worker",
          exportName: "RateLimitDurableObject",
        },
      },
      worker: {
        triggers: [{ type: "queue", name: "link-clicks", maxBatchTimeout: 0.1 }],
        exports: { RateLimitDurableObject: { type: "durable-object", storage: "sqlite" } },
      },
    });
    const base = (await mf.ready).href;
    send = sendTo(() => base);
  });
  afterAll(() => mf.dispose());
  for (const { title, run } of assertions) test(title, () => run(send));

  test("its cron trigger removes long-expired links with their clicks", async () => {
    const kv = await mf.getKVNamespace("KV");
    const namesOf = async (prefix: string): Promise<string[]> =>
      (await kv.list({ prefix })).keys.map(({ name }) => name);
    await expect.poll(() => namesOf("click:mine:"), { timeout: 10_000 }).toHaveLength(26);
    const worker = await mf.getWorker();
    const runAt = async (ms: number): Promise<string> => {
      const scheduledTime = new Date(Date.now() + ms);
      return (await worker.scheduled({ cron: "0 4 * * *", scheduledTime })).outcome;
    };
    // 30 days until they expire, and 30 more.
    expect(await runAt(59 * dayMs)).toBe("ok");
    expect(await namesOf("link:mine")).toEqual(["link:mine"]);
    expect(await runAt(60 * dayMs + 60_000)).toBe("ok");
    expect([await namesOf("link:"), await namesOf("click:")]).toEqual([[], []]);
    expect((await send("/mine")).status).toBe(404);
  });
});

describe("the link shortener on Node", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess("test/examples/link-shortener-listen.mjs", "node");
  });
  afterAll(async () => expect(await server.stop()).toBe(0));
  for (const { title, run } of assertions) test(title, () => run(sendTo(() => server.url)));
});

describe("a link", () => {
  let app: LinkShortener;
  let send: Send;
  let now: number;
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    app = await openLinkShortener(() => now);
    send = (path, init) => app.request(path, init);
  });

  test("expires, then responds with 410, and releases its slug after another 30 days", async () => {
    const scheduled = (): Promise<void> =>
      app.worker().scheduled({ cron: "0 4 * * *", scheduledTime: now }, {}, { waitUntil() {} });
    await create(send, { url: target, slug: "brief", days: 1 });
    await create(send, { url: target, slug: "lasting", days: 365 });
    now += dayMs - 1;
    expect((await send("/brief")).status).toBe(302);
    now += 1;
    expect(await problemOf(await send("/brief"))).toEqual([410, "This link has expired."]);
    expect(await problemOf(await send("/links/brief"))).toEqual([410, "This link has expired."]);
    const again = { url: "https://other.example/", slug: "brief" };
    expect((await create(send, again)).status).toBe(422);
    now += 30 * dayMs - 1;
    await scheduled();
    expect((await send("/brief")).status).toBe(410);
    now += 1;
    await scheduled();
    expect((await send("/brief")).status).toBe(404);
    expect((await send("/lasting")).status).toBe(302);
    expect((await create(send, again)).status).toBe(201);
    expect(await clicksOf(send, "brief")).toBe(0);
  });

  test("accepts only web pages on other sites as targets", async () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ["javascript:alert(1)", "url must be a valid URL"],
      ["data:text/html,x", "url must be a valid URL"],
      ["ftp://files.example/", "url must be a valid URL"],
      ["//long.example/", "url must be a valid URL"],
      ["https://user:secret@long.example/", "url must not contain a password"],
      ["http://localhost/mine", "url must not point to this site"],
      ["http://LOCALHOST./mine", "url must not point to this site"],
      ["https://Short.Example/mine", "url must not point to this site"],
      ["https://short.example.:443/mine", "url must not point to this site"],
      [`https://long.example/${"x".repeat(2000)}`, "url must be at most 2000"],
      ["https://short.example.org/mine", undefined],
      ["http://localhost:8080/", undefined],
    ];
    for (const [url, complaint] of cases) {
      const [status, errors] = await errorsOf(await create(send, { url }));
      const message = (errors as { url?: string }).url;
      const expected = complaint === undefined ? undefined : expect.stringContaining(complaint);
      expect([url, status, message]).toEqual([url, complaint === undefined ? 201 : 422, expected]);
    }
  });

  test("cannot have the name of a page, case-insensitively", async () => {
    const reserved = ["links", "Links", "health", "HEALTH", "admin", "static"];
    for (const slug of [...reserved, "ab", "-abc", "a_b_c", "a/b", "ünicode", "x".repeat(33)]) {
      const response = await create(send, { url: target, slug });
      expect([slug, response.status]).toEqual([slug, 422]);
    }
    expect((await create(send, { url: target, slug: "linksmith" })).status).toBe(201);
  });

  test("counts a click once if its job runs twice", async () => {
    await create(send, { url: target, slug: "twice" });
    const links = app.resolve("links");
    await links.recordClick("twice", "one-job");
    await links.recordClick("twice", "one-job");
    await links.recordClick("twice", "another");
    await links.recordClick("gone", "one-job");
    expect(await clicksOf(send, "twice")).toBe(2);
    expect(await links.countClicks("gone")).toBe(0);
  });
});

test.skipIf(!hasCurl)("the README's curl commands respond with the documented status", async () => {
  const server = await startServerProcess("test/examples/link-shortener-listen.mjs", "node");
  try {
    const outcomes = runCurlLines("link-shortener", server.url);
    expect(outcomes.length).toBeGreaterThan(3);
    for (const { line, promised, answered } of outcomes) {
      expect([line, answered]).toEqual([line, promised]);
    }
  } finally {
    await server.stop();
  }
});

// Requires an installed browser.
test.skipIf(chromiumPath === undefined)("a visitor shortens a link in Chromium", async () => {
  const server = await startServerProcess("test/examples/link-shortener-listen.mjs", "node");
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(server.url);
    await page.getByLabel("A long URL").fill(`${server.url}links/nothing`);
    await page.getByLabel("Short name").fill("a-page");
    await page.getByRole("button").click();
    await page.getByText("url must not point to this site").waitFor();
    // The browser logs the 422 to the console.
    expect(complaints).toHaveLength(1);
    // The entered values are redisplayed.
    await page.getByLabel("A long URL").fill("https://long.example/");
    await page.getByRole("button").click();
    await page.waitForURL(`${server.url}links/a-page`);
    expect(await page.getByRole("link", { name: "a-page" }).getAttribute("href")).toBe(
      `${server.url}a-page`,
    );
    const font = "getComputedStyle(document.documentElement).fontFamily";
    expect(await page.evaluate(font)).toContain("system-ui");
    expect(complaints).toHaveLength(1);
  } finally {
    await browser.close();
    await server.stop();
  }
});
