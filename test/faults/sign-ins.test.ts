import {
  Application,
  Auth,
  createAuthMiddleware,
  HttpError,
  json,
  MemoryTokenStore,
} from "espalier";
import { describe, expect, test } from "vitest";
import { bearer } from "../auth/support/app.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "x".repeat(32);
const day = 86_400_000;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** An application as the guide builds it, with a clock that the test moves. */
function createApp() {
  let nowMs = Date.UTC(2026, 10, 29);
  const now = (): number => nowMs;
  const logger = createRecordingLogger();
  const app = new Application({ logger });
  const auth = new Auth({
    secret,
    now,
    logger,
    expiresIn: "15m",
    revocations: new MemoryTokenStore({ now }),
    refreshTokens: { store: new MemoryTokenStore({ now }), expiresIn: "10d", idleExpiresIn: "4d" },
  });
  app.middleware("auth", createAuthMiddleware(auth));
  const router = app.getRouter();
  router.post("/sign-in", async () => json(await auth.issueTokens({ id: 7 })));
  router.post("/refresh", async (ctx) => {
    const { refreshToken } = ctx.body as { refreshToken: string };
    const tokens = await auth.refresh(refreshToken);
    if (tokens === null) throw new HttpError(401, "Sign in again.");
    return json(tokens);
  });
  router.get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });

  const post = (path: string, body: unknown): Promise<Response> =>
    app.request(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  return {
    auth,
    lines: logger.lines,
    advance: (ms: number) => {
      nowMs += ms;
    },
    signIn: async () => (await (await post("/sign-in", {})).json()) as Tokens,
    refresh: (refreshToken: unknown) => post("/refresh", { refreshToken }),
    me: async ({ accessToken }: Tokens) => (await app.request("/me", bearer(accessToken))).status,
  };
}

describe("a sign-in with refresh tokens", () => {
  test("goes on with each new pair, until its absolute lifetime ends", async () => {
    const { signIn, refresh, me, advance } = createApp();
    let tokens = await signIn();
    for (let days = 3; days < 10; days += 3) {
      advance(3 * day);
      expect(await me(tokens)).toBe(401);
      tokens = (await (await refresh(tokens.refreshToken)).json()) as Tokens;
      expect(await me(tokens)).toBe(200);
    }
    advance(day);
    expect((await refresh(tokens.refreshToken)).status).toBe(401);
  });

  test("ends altogether when a refresh token is used twice", async () => {
    const { signIn, refresh, me, advance, lines } = createApp();
    const stolen = await signIn();
    const other = await signIn();
    const current = (await (await refresh(stolen.refreshToken)).json()) as Tokens;
    advance(60_000);
    expect((await refresh(stolen.refreshToken)).status).toBe(401);
    expect((await refresh(current.refreshToken)).status).toBe(401);
    expect(await me(current)).toBe(401);
    expect(await me(other)).toBe(200);
    expect(lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  test.each([undefined, null, 7, "", "refresh_", "a.b", {}, "x".repeat(100_000)])(
    "is not continued with %j",
    async (token) => {
      const { refresh } = createApp();
      expect((await refresh(token)).status).toBe(401);
    },
  );

  test("does not accept one kind of token for the other", async () => {
    const { signIn, refresh, me } = createApp();
    const { accessToken, refreshToken } = await signIn();
    expect((await refresh(accessToken)).status).toBe(401);
    expect(await me({ accessToken: refreshToken, refreshToken })).toBe(401);
  });

  test("needs a store of the application's choice, which the error names", async () => {
    const auth = new Auth({ secret });
    for (const call of [() => auth.issueTokens({ id: 7 }), () => auth.refresh("x")]) {
      await expect(call()).rejects.toThrow(/refreshTokens/);
    }
  });
});
