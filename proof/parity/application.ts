import { Application } from "espalier";
import { addAccess } from "./routes/access.ts";
import { addAnswers } from "./routes/answers.ts";
import { addBodies } from "./routes/bodies.ts";
import { addCaching } from "./routes/caching.ts";
import { addCookies } from "./routes/cookies.ts";
import { addDocuments } from "./routes/documents.ts";
import { addErrors } from "./routes/errors.ts";
import { addFlow } from "./routes/flow.ts";
import { addRouting } from "./routes/routing.ts";
import { addValidation } from "./routes/validation.ts";

const silent = (): void => {};

/** Application with every feature that is reachable over HTTP; the requests are in `cases/`. */
export function createParityApplication(): Application {
  const app = new Application({
    host: "127.0.0.1",
    bodyParser: { limit: 2_000, multipartLimit: 4_000 },
    cors: {
      origins: ["https://app.example", "https://other.example"],
      credentials: true,
      exposedHeaders: ["x-total"],
      maxAge: 600,
    },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  app.useRequestObservability({ logLevel: "silent", openTelemetry: false });
  app.use(async (ctx, next) => {
    const response = await next();
    // Encoded, because patterns may contain characters that headers cannot.
    response.headers.set("x-route", encodeURI(ctx.route?.pattern ?? "none"));
    return response;
  });
  const router = app.getRouter();
  addRouting(router);
  addFlow(app, router);
  addBodies(router);
  addValidation(router);
  addAnswers(router);
  addErrors(router);
  addCookies(router);
  addCaching(router);
  addAccess(app, router);
  addDocuments(app);
  return app;
}
