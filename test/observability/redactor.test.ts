import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/observability/redactor.ts";
import { costRatio } from "../support/cost-ratio.ts";
import { Random } from "../support/random.ts";

const canary = "CANARY-7f3a";
const redactor = new Redactor();
const shown = (value: unknown): string => JSON.stringify(redactor.value(value));

describe("names", () => {
  test.each([
    "password",
    "PassWord",
    "user[password]",
    "passphrase",
    "pwd",
    "client_secret",
    "SECRET",
    "token",
    "accessToken",
    "csrf-token",
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "Set-Cookie",
    "api_key",
    "apiKey",
    "x-api-key",
    "api key",
    "private.key",
    "accessKey",
    "credentials",
    "sessionId",
    "session_id",
    // Signed URLs, OAuth and one-time codes.
    "code",
    "auth_code",
    "code_verifier",
    "verificationCode",
    "sig",
    "X-Amz-Signature",
    "X-Goog-Signature",
    "Key-Pair-Id",
    "jwt",
    "otp",
    "totp",
    "key",
    "sortKey",
    "client_assertion",
    "SAMLResponse",
    // Bodies.
    "cvv",
    "cardCvc",
    "ssn",
    "pin",
    "userPin",
    "user[pin]",
    "user%5Bpin%5D",
    "PIN2",
    "session",
    "user_session",
    "sid",
    "connect.sid",
    "PHPSESSID",
    "JSESSIONID",
    "_csrf",
    "XSRF-TOKEN",
    "auth",
    "mysql_pwd",
    "emailAddress",
    "e-mail",
    "salt",
    "encrypted_data",
    "certificate",
    "card_number",
    "cardNo",
    "iban",
    "pan",
    "accountNumber",
    "connectionString",
    "ip_address",
    // Headers.
    "x-goog-iap-jwt-assertion",
    "cf-access-jwt-assertion",
    "stripe-signature",
    "x-hub-signature-256",
    "x-shopify-hmac-sha256",
    "x-amz-security-token",
    "x-forwarded-client-cert",
    "X-Forwarded-For",
    "X-Real-IP",
    "X-Remote-Addr",
    "DPoP",
  ])("%s is secret", (name) => {
    expect(redactor.isSecretName(name)).toBe(true);
    expect(shown({ [name]: canary })).not.toContain(canary);
    expect(redactor.header(name, canary)).toBe("[redacted]");
    expect(redactor.text(`${name}=${canary}`)).not.toContain(canary);
  });

  test.each([
    "name",
    "title",
    "id",
    "apiVersion",
    "sessions",
    "author",
    "__proto__",
    "shipping",
    "keyword",
    "monkey",
    "design",
    "country_code",
    "postcode",
    "zipCode",
    "barcode",
    "company",
    "description",
    "inside",
    "classname",
    "discard_notes",
    "business",
  ])("%s is not", (name) => {
    expect(redactor.isSecretName(name)).toBe(false);
    expect(redactor.value(JSON.parse(`{"${name}":"kept"}`))).toEqual(
      Object.assign(Object.create(null), JSON.parse(`{"${name}":"kept"}`)),
    );
  });

  test("additional names are redacted, as written", () => {
    const own = new Redactor(["shelf", "a.b"]);
    expect(own.isSecretName("customerSHELF")).toBe(true);
    expect(own.isSecretName("a.b")).toBe(true);
    expect(own.isSecretName("axb")).toBe(false);
    expect(redactor.isSecretName("shelf")).toBe(false);
  });
});

test("an extremely long name is redacted without being examined", () => {
  expect(redactor.isSecretName(`${"a".repeat(200)}`)).toBe(false);
  expect(redactor.isSecretName("a".repeat(201))).toBe(true);
});

test("many different names do not change the decision", () => {
  const own = new Redactor();
  for (let index = 0; index < 3_000; index += 1) {
    expect(own.isSecretName(`field${index}`)).toBe(false);
    expect(own.isSecretName(`password${index}`)).toBe(true);
  }
  expect(own.isSecretName("field0")).toBe(false);
});

test("excluded names are shown, in any spelling, and no others", () => {
  const own = new Redactor(["own"], ["email", "X-Forwarded-For", "own"]);
  expect(own.isSecretName("e_mail")).toBe(true);
  expect(own.isSecretName("Email")).toBe(false);
  expect(own.isSecretName("x_forwarded_for")).toBe(false);
  expect(own.isSecretName("password")).toBe(true);
  expect(own.isSecretName("own")).toBe(true);
});

describe("values", () => {
  test.each([
    ["nested", { a: { b: [{ c: { password: canary } }] } }],
    ["an object under a secret name", { tokens: { list: [canary], deep: { deeper: canary } } }],
    ["a named value", [{ name: "password", value: canary }]],
    ["a pair", { headers: [["authorization", canary]] }],
    ["JSON in a text", { payload: JSON.stringify({ password: `two words ${canary}` }) }],
    ["JSON in JSON in a text", { a: JSON.stringify({ b: JSON.stringify({ secret: canary }) }) }],
    ["a query in a text", { url: `https://a.example/?x=1&api_key=${canary}&y=2` }],
    ["a bearer token in a text", { line: `Authorization is Bearer ${canary}` }],
    ["a signed URL in a text", { url: `https://a.example/f?x=1&sig=${canary}` }],
    ["a URL as the value of a name in a text", `url=https://a.example/?code=${canary}`],
    ["the user of a URL", { url: `https://me:${canary}@a.example/` }],
    ["a text as the whole body", `password: "${canary}"`],
    ["a name that says it", { [`token=${canary}`]: 1 }],
  ])("%s", (_what, value) => {
    expect(shown(value)).not.toContain(canary);
  });

  test("a JSON Web Token is redacted anywhere", () => {
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
    expect(redactor.text(`got ${token}, thanks`)).toBe("got [redacted], thanks");
  });

  test("the key of a pair is its name, and is kept", () => {
    const pairs = [
      { key: "colour", value: "red" },
      { key: "password", value: canary },
    ];
    expect(JSON.parse(shown(pairs))).toEqual([
      { key: "colour", value: "red" },
      { key: "password", value: "[redacted]" },
    ]);
  });

  test("other values are kept", () => {
    const value = { name: "Ada", tags: ["a", "b"], pages: 3, isOpen: true, none: null };
    expect(JSON.parse(shown(value))).toEqual(value);
  });

  test("values without JSON are described", () => {
    const value = { file: new File(["abc"], `${canary}.txt`), bytes: new Uint8Array(4), big: 7n };
    expect(JSON.parse(shown(value))).toEqual({
      file: "[file of 3 bytes]",
      bytes: "[4 bytes]",
      big: "7",
    });
  });

  test("a cycle and a throwing getter are handled", () => {
    const cycle: Record<string, unknown> = { name: "a" };
    cycle["self"] = cycle;
    expect(shown(cycle)).toContain("[…]");
    const hostile = {
      get name(): string {
        throw new Error(canary);
      },
    };
    expect(redactor.value(hostile)).toBe("[unreadable]");
  });
});

describe("limits", () => {
  test("deep, wide and long bodies are reduced to a few kilobytes, quickly", async () => {
    let deep: unknown = canary;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, "x"]));
    const long = "x".repeat(1_000_000);
    for (const value of [deep, wide, long, [long, long], Array(1_000_000).fill(long)]) {
      expect(shown(value).length).toBeLessThan(20_000);
      const ratio = await costRatio(
        () => shown(value),
        () => JSON.stringify(wide),
      );
      expect(ratio).toBeLessThan(2);
    }
    expect(shown(wide)).toContain("[99950 more]");
  });

  test("hostile strings take linear time", async () => {
    const parts = ["pass", "token=", 'secret:"', "eyJ", "//", "Bearer ", "\\", " ", "a", "api_key"];
    const random = new Random(5);
    const texts = random.list(300, 300, () =>
      (random.pick(parts) + random.pick(parts)).repeat(4_000),
    );
    const usual = texts.map(({ length }) => "a usual text of words ".repeat(length / 22));
    const ratio = await costRatio(
      () => texts.map((text) => redactor.text(text)),
      () => usual.map((text) => redactor.text(text)),
      2,
    );
    expect(ratio).toBeLessThan(50);
  });

  test("long runs of characters of a name before separators take linear time", async () => {
    const text = `${"%".repeat(50)}${"=".repeat(50)}`.repeat(40);
    const usual = "vendor7=00f067aa0ba902b7,".repeat(160);
    const ratio = await costRatio(
      () => redactor.text(text),
      () => redactor.text(usual),
      100,
    );
    expect(ratio).toBeLessThan(12);
  });

  test("truncated secrets are not shown either", () => {
    expect(redactor.text(`${"x".repeat(3_990)} token=${canary}`)).not.toContain(canary);
    expect(redactor.header("user-agent", "a".repeat(5_000)).length).toBe(1_001);
  });
});

test("the query of a Referer is omitted", () => {
  expect(redactor.header("referer", `https://a.example/x?q=${canary}`)).toBe(
    "https://a.example/x?…",
  );
  expect(redactor.header("Referer", "https://a.example/x")).toBe("https://a.example/x");
});
