import {
  Application,
  Auth,
  createApiKey,
  createApiKeyMiddleware,
  createAuthMiddleware,
  createBasicAuthMiddleware,
  createOptionalAuthMiddleware,
  hashPassword,
  json,
  MemoryTokenStore,
  needsRehash,
  verifyPassword,
} from "espalier";
import { createPair, jwkOf, pairParameters, pemOf } from "../support/pairs.ts";

const secret = "a-secret-of-sixty-four-bytes-for-tests-only-0123456789abcdefghij";

/** Application with all authentication features, tested on each runtime. */
export function createAuthApplication(): Application {
  const app = new Application({ host: "127.0.0.1" });
  const auth = new Auth({
    secret,
    revocations: new MemoryTokenStore(),
    refreshTokens: { store: new MemoryTokenStore() },
  });
  const owners = new Map<string, unknown>();
  const issuers = new Map<string, Auth>();

  app.middleware("auth", createAuthMiddleware(auth));
  app.middleware("maybe", createOptionalAuthMiddleware(auth));
  app.definePolicy("edit", (ctx) => ctx.queries("role").includes("editor"));
  app.middleware("key", createApiKeyMiddleware({ findUser: (hash) => owners.get(hash) }));
  app.middleware(
    "basic",
    createBasicAuthMiddleware({
      findUser: (name, password) => (password === "secret" ? { id: name } : null),
    }),
  );

  const router = app.getRouter();
  router.post("/login", async () =>
    json({ token: await auth.generateToken({ id: 7, name: "Ada" }) }),
  );
  router.get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
  router.get("/maybe", (ctx) => json(ctx.user), { middleware: ["maybe"] });
  router.get("/edit", () => json("edited"), { middleware: ["maybe", "can:edit"] });
  router.get("/key", (ctx) => json(ctx.user), { middleware: ["key"] });
  router.get("/basic", (ctx) => json(ctx.user), { middleware: ["basic"] });
  router.post("/keys", async () => {
    const { key, hash } = await createApiKey();
    owners.set(hash, { id: "machine" });
    return json({ key });
  });
  router.post("/sessions", async () => json(await auth.issueTokens({ id: 7, name: "Ada" })));
  router.post("/refresh", async (ctx) => json(await auth.refresh(await ctx.request.text())));
  router.post("/revoke", async (ctx) => json(await auth.revoke(await ctx.request.text())));
  router.get("/password", async () => {
    const hash = await hashPassword("correct horse");
    const verdicts = [await verifyPassword("correct horse", hash), await verifyPassword("x", hash)];
    return json([...verdicts, needsRehash(hash), hash.split("$")[2]]);
  });
  router.get("/pairs/:algorithm", async (ctx) => {
    const parameters = pairParameters.get(ctx.params.algorithm);
    if (parameters === undefined) return json(null, 404);
    const pair = await createPair(parameters);
    const keys = [pair.privateKey, await pemOf(pair.privateKey), await jwkOf(pair.privateKey)];
    const algorithms = [ctx.params.algorithm];
    const users = keys.map(async (privateKey) => {
      const own = new Auth({ privateKey, algorithms });
      const token = await own.generateToken({ id: 1 });
      const publicKey = await pemOf(pair.publicKey);
      return [
        await own.verifyToken(token),
        await new Auth({ publicKey, algorithms }).verifyToken(token),
      ];
    });
    return json(await Promise.all(users));
  });
  router.get("/issuer", async (ctx) => {
    const url = String(ctx.query["url"]);
    const issuer = issuers.get(url) ?? new Auth({ jwks: url });
    issuers.set(url, issuer);
    const { user, reason } = await issuer.authenticate(ctx.request);
    return json({ user, reason });
  });
  return app;
}
