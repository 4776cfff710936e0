import { describe, expect, test, vi } from "vitest";
import { Application, json, type Secrets, signUrl, verifySignedUrl } from "../../src/index.ts";

const secret = "a secret of at least 32 characters";
const older = "another secret of 32 or more characters";

async function statusOf(url: string, secrets: Secrets = secret): Promise<number> {
  const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
  app.getRouter().get("/files/:id", async (ctx) => {
    await verifySignedUrl(ctx, secrets);
    return json(ctx.query);
  });
  return (await app.request(url)).status;
}

const link = (
  target = "https://a.example/files/7?size=l&name=caf%C3%A9",
  secrets: Secrets = secret,
) => signUrl(target, secrets, { expiresInSeconds: 60 });

describe("a signed URL", () => {
  test("is valid as it is, on any host", async () => {
    const url = await link();
    expect(url).toMatch(/&expires=\d+&signature=[\w-]{43}$/);
    expect(await statusOf(url)).toBe(200);
    expect(await statusOf(url.replace("a.example", "b.example"))).toBe(200);
    expect(await statusOf(await link("https://a.example/files/7"))).toBe(200);
  });

  test("is invalid with any change", async () => {
    const url = await link();
    const changes = [
      url.replace("/files/7", "/files/8"),
      url.replace("size=l", "size=xl"),
      url.replace(/expires=\d/, "expires=9"),
      url.replace("size=l&", ""),
      `${url}&size=xl`,
      url.replace(/signature=./, (text) => (text.endsWith("A") ? "signature=B" : "signature=A")),
      url.replace(/&signature=.*/, ""),
      url.replace(/&signature=.*/, "&signature="),
      "https://a.example/files/7",
    ];
    for (const changed of changes)
      expect([changed, await statusOf(changed)]).toEqual([changed, 403]);
  });

  test("expires", async () => {
    const url = await link();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      expect(await statusOf(url)).toBe(403);
    } finally {
      vi.useRealTimers();
    }
  });

  test("can be signed again, and is valid with an older secret while that is listed", async () => {
    expect(await statusOf(await link(await link()))).toBe(200);
    const old = await link(undefined, older);
    expect(await statusOf(old, [secret, older])).toBe(200);
    expect(await statusOf(old, secret)).toBe(403);
    expect(await statusOf(await link(undefined, [secret, older]), secret)).toBe(200);
  });

  test.each([[undefined], [""], ["short"], [[]], [[secret, "short"]]])(
    "needs a secret, not %j",
    async (wrong) => {
      const expected = expect.objectContaining({ code: "ERR_CRYPTO_BAD_SECRET" });
      const call = signUrl("https://a.example/", wrong as string, { expiresInSeconds: 60 });
      await expect(call).rejects.toThrow(expected);
    },
  );

  test.each([[0], [1.5], ["60"], [undefined]])("needs a lifetime, not %j", async (seconds) => {
    const call = signUrl("https://a.example/", secret, { expiresInSeconds: seconds as number });
    await expect(call).rejects.toThrow(expect.objectContaining({ code: "ERR_CRYPTO_BAD_OPTION" }));
  });
});
