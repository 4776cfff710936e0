import { type BeforeAfterMiddleware, HttpError } from "espalier";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** Refuses every change while the variable `READ_ONLY` is `true`, as during a stocktaking. */
export const readOnly: BeforeAfterMiddleware = {
  before(ctx) {
    if (ctx.env.READ_ONLY !== "true" || safeMethods.includes(ctx.request.method)) return;
    throw new HttpError(503, "The library is taking stock. Please come back later.", {
      headers: { "retry-after": "3600" },
    });
  },
};
