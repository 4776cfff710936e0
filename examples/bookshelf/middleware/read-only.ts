import { type BeforeAfterMiddleware, HttpError } from "espalier";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** Rejects every change with 503 while the variable `READ_ONLY` is `true`. */
export const readOnly: BeforeAfterMiddleware = {
  before(ctx) {
    if (ctx.env.READ_ONLY !== "true" || safeMethods.includes(ctx.method)) return;
    throw new HttpError(
      503,
      "The library is read-only during stocktaking. Please try again later.",
      {
        headers: { "retry-after": "3600" },
      },
    );
  },
};
