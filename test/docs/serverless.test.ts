import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { codeBlocks, isChecked } from "./code-blocks.ts";
import { namedBlocks } from "./import-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-serverless-"));
const files = namedBlocks(codeBlocks("docs/guide/serverless.md").filter(isChecked));
for (const [name, { text }] of files) writeFileSync(join(folder, name), text);
afterAll(() => rmSync(folder, { recursive: true }));

const load = (name: string): Promise<Record<string, unknown>> => import(join(folder, name));

test("Vercel calls fetch of the default export", async () => {
  const { default: exported } = await load("vercel.ts");
  const { fetch } = exported as { fetch: (request: Request) => Promise<Response> };
  const response = await fetch(new Request("https://shop.example/hello/ada"));
  expect(await response.json()).toEqual({ hello: "ada" });
});

test("Netlify calls the default export with its context", async () => {
  const { default: exported, config } = await load("netlify.ts");
  const call = exported as (request: Request, context: object) => Promise<Response>;
  const context = { waitUntil: () => {} };
  const response = await call(new Request("https://shop.example/hello/ada"), context);
  expect(await response.json()).toEqual({ hello: "ada" });
  expect(config).toEqual({ path: "/*" });
});

interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
  readonly body: string;
}

/** Invokes the function with an event as a function URL sends it. */
async function invoke(changes: object): Promise<LambdaResult> {
  const { handler } = await load("lambda.ts");
  const call = handler as (event: object) => Promise<LambdaResult>;
  const { method = "GET", ...others } = changes as { method?: string };
  return call({
    version: "2.0",
    routeKey: "$default",
    rawPath: "/hello/ada",
    rawQueryString: "",
    headers: { host: "id.lambda-url.eu-central-1.on.aws", "x-forwarded-for": "203.0.113.7" },
    requestContext: {
      accountId: "anonymous",
      domainName: "id.lambda-url.eu-central-1.on.aws",
      http: { method, path: "/hello/ada", protocol: "HTTP/1.1", sourceIp: "203.0.113.7" },
      stage: "$default",
    },
    isBase64Encoded: false,
    ...others,
  });
}

const decoded = ({ body }: LambdaResult): unknown =>
  JSON.parse(Buffer.from(body, "base64").toString());

test("Lambda gets path, body, cookies and status", async () => {
  const hello = await invoke({ rawPath: "/hello/caf%C3%A9", rawQueryString: "a=1" });
  expect(hello.statusCode).toBe(200);
  expect(hello.headers["content-type"]).toBe("application/json");
  expect(decoded(hello)).toEqual({ hello: "café" });
  expect((await invoke({ rawPath: "/nothing" })).statusCode).toBe(404);

  const sent = {
    method: "POST",
    rawPath: "/echo",
    headers: { "content-type": "application/json" },
    cookies: ["a=1", "session=7"],
  };
  const plain = await invoke({ ...sent, body: '{"name":"é"}' });
  expect(decoded(plain)).toEqual({ body: { name: "é" }, session: "7" });
  const body = Buffer.from('{"name":"é"}').toString("base64");
  expect(decoded(await invoke({ ...sent, body, isBase64Encoded: true }))).toEqual({
    body: { name: "é" },
    session: "7",
  });
});

test("Lambda waits for background work, and sends each cookie", async () => {
  const { app } = (await load("app.ts")) as { app: import("espalier").Application };
  let isDone = false;
  app.getRouter().get("/late", (ctx) => {
    ctx.waitUntil(
      new Promise<void>((resolve) => setTimeout(resolve, 50)).then(() => {
        isDone = true;
      }),
    );
    ctx.cookies.set("a", "1");
    ctx.cookies.set("b", "2");
    return new Response(null, { status: 204 });
  });
  const result = await invoke({ rawPath: "/late" });
  expect(isDone).toBe(true);
  expect(result.cookies.map((cookie) => cookie.split(";")[0])).toEqual(["a=1", "b=2"]);
  expect(result.headers).not.toHaveProperty("set-cookie");
});
