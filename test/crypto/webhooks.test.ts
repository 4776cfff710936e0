import { describe, expect, test, vi } from "vitest";
import {
  Application,
  HttpError,
  json,
  type RequestContext,
  signWebhook,
  verifyHmac,
  verifyWebhook,
  type WebhookSecret,
} from "../../src/index.ts";

/** The example of the specification. */
const example = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
} as const;
const other = `whsec_${btoa("another secret of 24 bytes")}`;

/** Creates an application that verifies with `secret` and responds with the event's id. */
function receiver(secret: WebhookSecret, options: { toleranceSeconds?: number } = {}): Application {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const app = new Application({ logger });
  app.getRouter().post("/hook", async (ctx) => {
    const { id, timestamp } = await verifyWebhook(ctx, secret, options);
    return json({ id, timestamp, body: ctx.body ?? (await ctx.request.text()) });
  });
  return app;
}

interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = (
  app: Application,
  { body = example.body, type = "application/json", headers }: Sent,
) =>
  app.request("/hook", {
    method: "POST",
    body,
    headers: { "content-type": type, ...headers },
  });

const signed = (message: { body?: string; secret?: WebhookSecret; timestamp?: Date } = {}) =>
  signWebhook(
    {
      id: example.id,
      body: message.body ?? example.body,
      timestamp: message.timestamp ?? new Date(),
    },
    message.secret ?? example.secret,
  );

describe("signWebhook", () => {
  test("signs the example of the specification", async () => {
    const { id, body, timestamp, secret, signature } = example;
    expect(await signWebhook({ id, body, timestamp }, secret)).toEqual({
      "webhook-id": id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": signature,
    });
    const bytes = new TextEncoder().encode(body);
    const withoutPrefix = secret.slice("whsec_".length);
    const again = await signWebhook({ id, body: bytes, timestamp }, withoutPrefix);
    expect(again["webhook-signature"]).toBe(signature);
  });

  test("signs with every secret of a rotation", async () => {
    const { "webhook-signature": both } = await signed({ secret: [other, example.secret] });
    expect(both.split(" ")).toHaveLength(2);
  });

  test.each([
    ["", "an empty id"],
    ["msg.7", "a dot"],
    ["msg 7", "a space"],
    ["m".repeat(257), "a long id"],
  ])("rejects the id %j: %s", async (id) => {
    const expected = expect.objectContaining({ code: "ERR_WEBHOOK_BAD_MESSAGE" });
    await expect(signWebhook({ id, body: "" }, example.secret)).rejects.toThrow(expected);
  });

  test("rejects an invalid date", async () => {
    const message = { id: "a", body: "", timestamp: new Date("never") };
    const expected = expect.objectContaining({ code: "ERR_WEBHOOK_BAD_MESSAGE" });
    await expect(signWebhook(message, example.secret)).rejects.toThrow(expected);
  });

  test.each([
    [undefined],
    [""],
    ["whsec_"],
    ["whsec_!!!"],
    [`whsec_${btoa("too short")}`],
    [`whsec_${btoa("x".repeat(65))}`],
    [[]],
    [[example.secret, undefined]],
  ])("rejects the secret %j without showing it", async (secret) => {
    const call = signWebhook({ id: "a", body: "" }, secret as string);
    await expect(call).rejects.toThrow(expect.objectContaining({ code: "ERR_WEBHOOK_BAD_SECRET" }));
    await expect(call).rejects.toThrow(/must be "whsec_" and 24 to 64 bytes in base64, got/);
  });
});

describe("verifyWebhook", () => {
  test("accepts the example of the specification at its time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: example.timestamp.getTime() + 299_000 });
    try {
      const response = await send(receiver(example.secret), {
        headers: {
          "webhook-id": example.id,
          "webhook-timestamp": "1614265330",
          "webhook-signature": example.signature,
        },
      });
      expect([response.status, await response.json()]).toEqual([
        200,
        { id: example.id, timestamp: example.timestamp.toJSON(), body: { test: 2_432_232_314 } },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("compares the bytes of the body, also of types that are not parsed", async () => {
    const app = receiver(example.secret);
    const headers = { ...(await signed()) };
    expect((await send(app, { headers })).status).toBe(200);
    const plain = await send(app, { headers, type: "text/plain" });
    expect([plain.status, await plain.json()]).toMatchObject([200, { body: example.body }]);
    // The same JSON, in other bytes.
    expect((await send(app, { headers, body: '{"test":2432232314}' })).status).toBe(403);
    expect((await send(app, { headers, body: "" })).status).toBe(403);
  });

  test("reads at most 1 MiB of a body that no parser limits", async () => {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const app = new Application({ logger });
    app.getRouter().post(
      "/hook",
      async (ctx) => {
        await verifyWebhook(ctx, example.secret);
        return json((await ctx.request.text()).length);
      },
      { bodyParser: false },
    );
    const body = "x".repeat(1_048_576);
    const within = await send(app, { body, headers: { ...(await signed({ body })) } });
    expect([within.status, await within.json()]).toEqual([200, body.length]);
    const over = await send(app, { body: `${body}x`, headers: { ...(await signed({ body })) } });
    expect(over.status).toBe(413);

    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const init = {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { ...(await signed()) },
    };
    const response = await app.fetch(new Request("http://localhost/hook", init as RequestInit));
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(30);
  });

  test("accepts every secret of a rotation, on either side", async () => {
    const rotated = receiver([other, example.secret]);
    expect((await send(rotated, { headers: { ...(await signed()) } })).status).toBe(200);
    const headers = { ...(await signed({ secret: [other, example.secret] })) };
    expect((await send(receiver(example.secret), { headers })).status).toBe(200);
    expect((await send(receiver(other), { headers: { ...(await signed()) } })).status).toBe(403);
  });

  test("ignores signatures of other versions, and more than ten", async () => {
    const headers = { ...(await signed()) };
    const valid = headers["webhook-signature"];
    const app = receiver(example.secret);
    const among = { ...headers, "webhook-signature": `v1a,AAAA ${valid} v2,BBBB` };
    expect((await send(app, { headers: among })).status).toBe(200);
    const late = { ...headers, "webhook-signature": `${"v1,AAAA ".repeat(10)}${valid}` };
    expect((await send(app, { headers: late })).status).toBe(403);
  });

  test.each([
    [-301, 403],
    [-290, 200],
    [290, 200],
    [301, 403],
  ])("a timestamp that is %i seconds away results in %i", async (seconds, status) => {
    const timestamp = new Date(Date.now() + seconds * 1000);
    const response = await send(receiver(example.secret), {
      headers: { ...(await signed({ timestamp })) },
    });
    expect(response.status).toBe(status);
    const wide = await send(receiver(example.secret, { toleranceSeconds: 600 }), {
      headers: { ...(await signed({ timestamp })) },
    });
    expect(wide.status).toBe(200);
  });

  test.each([
    ["webhook-id", ""],
    ["webhook-id", "a.b"],
    ["webhook-timestamp", "1614265330.5"],
    ["webhook-timestamp", "-1"],
    ["webhook-signature", "g0hM9SsE"],
    ["webhook-signature", "v1,*"],
  ])("a malformed %s, %j, results in 400", async (name, value) => {
    const headers = { ...(await signed()), [name]: value };
    expect((await send(receiver(example.secret), { headers })).status).toBe(400);
  });

  test("a missing header results in 400, a wrong option is an error", async () => {
    expect((await send(receiver(example.secret), {})).status).toBe(400);
    const headers = { ...(await signed()) };
    expect(
      (await send(receiver(example.secret, { toleranceSeconds: 0 }), { headers })).status,
    ).toBe(500);
    expect((await send(receiver(""), { headers })).status).toBe(500);
  });
});

describe("schemes of providers", () => {
  test("GitHub: the example of its documentation", async () => {
    const secret = "It's a Secret to Everybody";
    const signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    expect(await verifyHmac(secret, "Hello, World!", signature)).toBe(true);
    expect(await verifyHmac(secret, "Hello, World?", signature)).toBe(false);
    for (const wrong of ["", "zz", signature.slice(1), signature.slice(2), `${signature}00`]) {
      expect(await verifyHmac(secret, "Hello, World!", wrong)).toBe(false);
    }
  });

  test("Stripe: a timestamp and the body, as the guide shows", async () => {
    const secret = "whsec_of_stripe";
    const app = new Application({ logger: { debug() {}, info() {}, warn() {}, error() {} } });
    app.getRouter().post("/stripe", async (ctx) => {
      await verifyStripe(ctx, secret);
      return json("ok");
    });
    const body = '{"type":"charge.succeeded"}';
    const sign = async (seconds: number): Promise<string> => {
      const key = await crypto.subtle.importKey(
        "raw",
        new TextEncoder().encode(secret),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const text = new TextEncoder().encode(`${seconds}.${body}`);
      const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return `t=${seconds},v1=0000,v1=${hex}`;
    };
    const post = async (signature: string): Promise<number> => {
      const headers = { "content-type": "application/json", "stripe-signature": signature };
      return (await app.request("/stripe", { method: "POST", body, headers })).status;
    };
    const now = Math.floor(Date.now() / 1000);
    expect(await post(await sign(now))).toBe(200);
    expect(await post(await sign(now - 400))).toBe(403);
    expect(await post(`t=${now},v1=0000`)).toBe(403);
    expect(await post("")).toBe(403);
  });
});

/** As docs/guide/webhooks.md shows it. */
async function verifyStripe(ctx: RequestContext, secret: string): Promise<void> {
  const fields = (ctx.headers.get("stripe-signature") ?? "").split(",");
  const valuesOf = (name: string): readonly string[] =>
    fields
      .filter((field) => field.startsWith(`${name}=`))
      .map((field) => field.slice(name.length + 1));
  const [timestamp = ""] = valuesOf("t");
  const body = new TextDecoder().decode(ctx.rawBody);
  const checks = valuesOf("v1").map((one) => verifyHmac(secret, `${timestamp}.${body}`, one));
  const isSigned = (await Promise.all(checks)).includes(true);
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  if (!isSigned || !isRecent) throw new HttpError(403, "The signature is not valid.");
}
