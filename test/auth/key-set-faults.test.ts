import { afterEach, expect, test, vi } from "vitest";
import { Auth } from "../../src/auth/auth.ts";
import type { AuthOptions } from "../../src/auth/auth-options.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { createPair, jwkOf } from "./support/pairs.ts";
import { noonMs } from "./support/tokens.ts";

const pair = await createPair({ name: "ECDSA", namedCurve: "P-256" });
const publicJwk = { ...(await jwkOf(pair.publicKey)), kid: "one" };
const privateJwk = { ...(await jwkOf(pair.privateKey)), kid: "one" };
const signer = new Auth({ privateKey: privateJwk, now: () => noonMs });
const token = await signer.generateToken({ id: 7 }, { expiresIn: "1d" });
const minuteMs = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Creates an Auth whose issuer returns `answers` in order, repeating the last one. */
function createVerifier(...answers: readonly (() => Response | Promise<Response>)[]) {
  let asked = 0;
  const time = { nowMs: noonMs };
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer === undefined) throw new Error("The list of responses is empty.");
    return await answer();
  });
  const logger = createRecordingLogger();
  const jwks = "https://issuer.example/keys?version=2";
  const auth = new Auth({ jwks, logger, now: () => time.nowMs });
  const reason = async (): Promise<string | undefined> => {
    const headers = new Headers({ authorization: `Bearer ${token}` });
    return (await auth.authenticate({ headers })).reason;
  };
  const failures = () => logger.lines.filter(({ error }) => error !== undefined);
  const errors = (): unknown[] =>
    failures().map(({ error }) => (error as { message: string }).message);
  return { auth, time, fetched, failures, reason, errors };
}

const keys = (): Response => Response.json({ keys: [publicJwk] });
const down = (): Response => new Response("no", { status: 503 });

test.each([
  [() => new Response(null, { status: 204 }), "The issuer responded with 204, not 200."],
  [() => new Response(null), "The issuer responded with 200 without a body."],
  [down, "The issuer responded with 503, not 200."],
  [() => Promise.reject(new TypeError("no route")), "no route"],
])("an invalid response of an issuer is logged, case %#", async (answer, said) => {
  const { reason, errors, failures } = createVerifier(answer);
  expect(await reason()).toBe("keys-unavailable");
  expect(errors()).toEqual([said]);
  const kind = said === "no route" ? { name: "TypeError" } : { code: "ERR_AUTH_KEYS_UNAVAILABLE" };
  expect(failures()[0]?.["error"]).toMatchObject(kind);
  // The query may contain secrets, which must not be logged.
  expect(failures()[0]?.["message"]).toBe(
    "The keys at https://issuer.example/keys could not be fetched.",
  );
});

test("an unread body is cancelled", async () => {
  const response = down();
  const cancel = vi.spyOn(response.body as ReadableStream, "cancel");
  const { reason } = createVerifier(() => response);
  await reason();
  expect(cancel).toHaveBeenCalledTimes(1);
});

test("an issuer is requested as JSON, without following redirects, with a timeout of five seconds", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const { reason, fetched } = createVerifier(keys);
  expect(await reason()).toBeUndefined();
  const [url, options] = fetched.mock.calls[0] ?? [];
  expect(String(url)).toBe("https://issuer.example/keys?version=2");
  expect(options).toMatchObject({
    headers: { accept: "application/jwk-set+json, application/json" },
    redirect: "manual",
  });
  expect(timeout).toHaveBeenCalledExactlyOnceWith(5_000);
  expect(options?.signal).toBe(timeout.mock.results[0]?.value);
});

test("an issuer that is down is retried after 30 seconds while its keys are valid", async () => {
  const { reason, fetched, time } = createVerifier(keys, down);
  expect(await reason()).toBeUndefined();
  time.nowMs += 70 * minuteMs - 1;
  expect(await reason()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(2);
  time.nowMs += 1;
  // The keys have expired by now, but no request is sent yet.
  expect(await reason()).toBe("keys-unavailable");
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("but not sooner, however many requests arrive", async () => {
  const { reason, fetched, time } = createVerifier(keys, down);
  expect(await reason()).toBeUndefined();
  time.nowMs += 10 * minuteMs;
  for (const waitMs of [0, 1_000, 28_999]) {
    time.nowMs += waitMs;
    expect(await reason()).toBeUndefined();
    expect(fetched).toHaveBeenCalledTimes(2);
  }
  time.nowMs += 1;
  expect(await reason()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("an issuer that is down is retried after a second once its keys have expired", async () => {
  const { reason, fetched, time } = createVerifier(keys, down, keys);
  expect(await reason()).toBeUndefined();
  time.nowMs += 70 * minuteMs;
  expect(await reason()).toBe("keys-unavailable");
  time.nowMs += 999;
  expect(await reason()).toBe("keys-unavailable");
  expect(fetched).toHaveBeenCalledTimes(2);
  time.nowMs += 1;
  expect(await reason()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("a caller that waits for another's request continues when it has ended", async () => {
  let answerNow = (_response: Response): void => {};
  const { reason, fetched } = createVerifier(
    () =>
      new Promise<Response>((resolve) => {
        answerNow = resolve;
      }),
  );
  const first = reason();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const second = vi.fn();
  const waiting = reason().then(second);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(second).not.toHaveBeenCalled();
  answerNow(keys());
  expect(await first).toBeUndefined();
  await vi.advanceTimersByTimeAsync(20);
  vi.useRealTimers();
  await waiting;
  expect(second).toHaveBeenCalledExactlyOnceWith(undefined);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("a timed-out request that finishes later does not affect its replacement", async () => {
  const answers: { resolve(response: Response): void; reject(error: Error): void }[] = [];
  const { reason, fetched } = createVerifier(
    () =>
      new Promise<Response>((resolve, reject) => {
        answers.push({ resolve, reject });
      }),
  );
  const given = reason();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const waiting = [reason(), reason(), reason()];
  await vi.advanceTimersByTimeAsync(6_100);
  expect(fetched).toHaveBeenCalledTimes(2);
  answers[0]?.reject(new Error("too late"));
  expect(await given).toBe("keys-unavailable");
  waiting.push(reason());
  await vi.advanceTimersByTimeAsync(100);
  answers[1]?.resolve(keys());
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined, undefined]);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("while new keys are requested, the old ones still authenticate immediately", async () => {
  const { reason, fetched, time } = createVerifier(keys, () => new Promise(() => {}));
  expect(await reason()).toBeUndefined();
  time.nowMs += 10 * minuteMs;
  void reason();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(2), { timeout: 10_000 });
  expect(await reason()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("a key set without a key for an allowed algorithm is rejected", () => {
  const create = (jwks: object, algorithms: string[]) => (): Auth =>
    new Auth({ jwks, algorithms } as AuthOptions);
  const { kid, ...withoutId } = publicJwk;
  for (const jwk of [publicJwk, withoutId, { ...publicJwk, alg: "ES256" }]) {
    expect(create({ keys: [jwk] }, ["RS256", "EdDSA"])).toThrow(
      "The JWK Set of the option jwks has no public key that can be used for signatures.",
    );
    expect(create({ keys: [jwk] }, ["RS256", "ES256"])).not.toThrow();
  }
});
