import { Application, Auth, createAuthMiddleware, json } from "espalier";
import { expect, test } from "vitest";
import { bearer } from "../auth/support/app.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";

test("a long token passes a server over HTTP where its header limit allows it", async () => {
  const app = new Application({ logger: createRecordingLogger() });
  const secret = "x".repeat(32);
  const auth = new Auth({ secret, maxTokenBytes: 12_288 });
  app.middleware("auth", createAuthMiddleware(auth));
  app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
  const { url } = await app.listen({ port: 0, host: "127.0.0.1", gracefulSignals: false });
  try {
    const token = await auth.generateToken({ id: 7, pad: "x".repeat(8000) });
    expect(token.length).toBeGreaterThan(8192);
    const response = await fetch(new URL("/me", url), bearer(token));
    expect(response.status).toBe(200);
  } finally {
    await app.stop();
  }
});
