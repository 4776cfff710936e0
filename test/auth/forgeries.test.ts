import { expect, test } from "vitest";
import { Application } from "../../src/application/application.ts";
import { Auth } from "../../src/auth/auth.ts";
import { json } from "../../src/http/responses.ts";
import {
  createAuthMiddleware,
  createOptionalAuthMiddleware,
} from "../../src/middleware/authentication.ts";
import { Random } from "../support/random.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer } from "./support/app.ts";
import { base64url, hmacToken, noon, noonMs, payload, secret } from "./support/tokens.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const auth = new Auth({ secret, now: () => noonMs, issuer: "us", audience: "them" });
const logger = createRecordingLogger();
const app = new Application({ logger });
app.middleware("auth", createAuthMiddleware(auth));
app.middleware("maybe", createOptionalAuthMiddleware(auth));
let handled = 0;
app.getRouter().get(
  "/in",
  (ctx) => {
    handled += 1;
    return json(ctx.user);
  },
  { middleware: ["auth"] },
);
app.getRouter().get("/maybe", (ctx) => json(ctx.user), { middleware: ["maybe"] });

type Parts = readonly [head: string, body: string, signature: string];
const partsOf = (token: string): Parts => token.split(".") as unknown as Parts;
const edit = (part: string, change: (json: Record<string, unknown>) => unknown): string =>
  base64url(JSON.stringify(change(JSON.parse(Buffer.from(part, "base64url").toString()))));

/** Ways to forge a token from a valid one. */
const forgers: readonly ((token: string, random: Random) => string | Promise<string>)[] = [
  // One bit of one character.
  (token, random) => {
    const at = random.between(0, token.length - 1);
    const code = token.charCodeAt(at) ^ (1 << random.between(0, 5));
    return token.slice(0, at) + String.fromCharCode(code) + token.slice(at + 1);
  },
  // Another character of the alphabet, also at the end, where several decode to the same bytes.
  (token, random) => {
    const at = random.chance(0.5) ? token.length - 1 : random.between(0, token.length - 1);
    return token.slice(0, at) + random.pick([...alphabet]) + token.slice(at + 1);
  },
  // Inserted and removed characters, swapped ends.
  (token, random) => {
    const at = random.between(0, token.length);
    const extra = random.pick([
      "=",
      "==",
      ".",
      "A",
      " ",
      "-",
      "_",
      "+",
      "/",
      "\t",
      "%3D",
      ",",
      "\u00a0",
    ]);
    return token.slice(0, at) + extra + token.slice(at);
  },
  (token, random) => {
    const at = random.between(0, token.length - 1);
    return token.slice(0, at) + token.slice(at + random.between(1, 4));
  },
  (token) => partsOf(token).toReversed().join("."),
  // Another header over the old signature.
  (token, random) => {
    const [head, body, signature] = partsOf(token);
    const alg = random.pick([
      "none",
      "HS384",
      "HS512",
      "RS256",
      "ES256",
      "",
      null,
      1,
      ["HS256"],
      "hs256",
    ]);
    return [edit(head, (header) => ({ ...header, alg })), body, random.pick([signature, ""])].join(
      ".",
    );
  },
  (token, random) => {
    const [head, body, signature] = partsOf(token);
    const extra = random.pick([
      { kid: "x" },
      { b64: false },
      { crit: ["x"] },
      { typ: "JWT2" },
      { zip: "DEF" },
    ]);
    return [edit(head, (header) => ({ ...header, ...extra })), body, signature].join(".");
  },
  // Another payload over the old signature.
  (token, random) => {
    const [head, body, signature] = partsOf(token);
    const extra = random.pick([
      { sub: "admin" },
      { exp: noon + 1e6 },
      { user: { id: 0, admin: true } },
    ]);
    return [head, edit(body, (claims) => ({ ...claims, ...extra })), signature].join(".");
  },
  // Signed with another secret, or the right secret and another hash.
  (token, random) => {
    const [head, body] = partsOf(token).map((part) => Buffer.from(part, "base64url").toString());
    const other = random.pick(["", "secret", `${secret} `, secret.slice(1), secret.toUpperCase()]);
    return hmacToken(head, body, { secret: other === "" ? "\0" : other });
  },
  (token, random) => {
    const [head, body] = partsOf(token).map((part) => Buffer.from(part, "base64url").toString());
    return hmacToken(head, body, { hash: random.pick(["SHA-1", "SHA-384", "SHA-512"]) });
  },
  // Correctly signed, but invalid: expired, not yet valid, for another audience, of wrong types.
  (_token, random) => {
    const wrong = random.pick<Record<string, unknown>>([
      { exp: noon - random.between(0, 1e6) },
      { exp: `${noon + 60}` },
      { exp: undefined },
      { nbf: noon + random.between(1, 1e6) },
      { iss: "others" },
      { iss: ["us"] },
      { aud: ["others"] },
      { aud: undefined },
      { sub: 1 },
      { iat: noon + random.between(31, 1e6) },
    ]);
    return hmacToken({ alg: "HS256" }, { ...payload, iss: "us", aud: "them", ...wrong });
  },
  // The signature of another valid token.
  async (token, random) => {
    const other = await auth.generateToken({ id: random.between(1001, 2000) });
    const [head, body] = partsOf(token);
    return [head, body, partsOf(other)[2]].join(".");
  },
  // Noise.
  (_token, random) =>
    random
      .list(1, 3, () => random.list(0, 40, () => random.pick([...alphabet])).join(""))
      .join("."),
  (_token, random) => "A".repeat(random.between(8193, 20_000)),
];

test("5,000 forgeries: none is accepted, none is a 500, and all get the same response", async () => {
  const random = new Random(20_260_601);
  const honest = await Promise.all(
    Array.from({ length: 20 }, (_, id) => auth.generateToken({ id: id + 1, name: `n${id}` })),
  );
  const bodies = new Set<string>();
  let tried = 0;
  while (tried < 5000) {
    const forge = forgers[tried % forgers.length];
    const token = await forge?.(random.pick(honest), random);
    // A mutation may have no effect, and a header cannot contain all characters.
    if (token === undefined || honest.includes(token.trim())) continue;
    if (/[^\t\x20-\xff]/.test(token)) continue;
    tried += 1;
    const response = await app.request("/in", bearer(token));
    expect([token, response.status]).toEqual([token, 401]);
    const body = (await response.json()) as Record<string, unknown>;
    bodies.add(JSON.stringify({ ...body, traceId: "" }));
    if (tried % 10 === 0) {
      const optional = await app.request("/maybe", bearer(token));
      expect([optional.status, await optional.text()]).toEqual([200, "null"]);
    }
  }
  expect(handled).toBe(0);
  expect(bodies.size).toBe(1);
  expect(logger.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("1,000 valid tokens: none is rejected, and each identifies its user", async () => {
  const random = new Random(1);
  const letters = [...'aZ09äß漢😀"\\\n\u0000\u2028'];
  const users = Array.from({ length: 1000 }, (_, id) => ({
    id: random.chance(0.5) ? id + 1 : `user-${id}`,
    name: random.list(0, 60, () => random.pick(letters)).join(""),
    roles: random.list(0, 3, () => random.pick(["reader", "editor", "admin"])),
  }));
  const answers = await Promise.all(
    users.map(async (user) => {
      const token = await auth.generateToken(user);
      const response = await app.request("/in", bearer(token));
      return [response.status, await response.json()];
    }),
  );
  expect(answers).toEqual(users.map((user) => [200, user]));
});

test("two users in turn, and a token that expires between two requests", async () => {
  let nowMs = noonMs;
  const clocked = new Auth({ secret, now: () => nowMs });
  const own = new Application({ logger });
  own.middleware("auth", createAuthMiddleware(clocked));
  own.getRouter().get(
    "/",
    async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return json(ctx.user);
    },
    { middleware: ["auth"] },
  );
  const tokens = [
    await clocked.generateToken({ id: "a" }),
    await clocked.generateToken({ id: "b" }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 2000 }, async (_, index) => {
      const response = await own.request("/", bearer(tokens[index % 2] ?? ""));
      return await response.json();
    }),
  );
  expect(answers.every((answer, index) => (answer as { id: string }).id === "ab"[index % 2])).toBe(
    true,
  );
  nowMs += 3_600_000;
  expect((await own.request("/", bearer(tokens[0] ?? ""))).status).toBe(401);
});
