import { EspalierError } from "../../errors.ts";
import type * as full from "../../pipeline/bad-middleware.ts";
import { ignoreRejection } from "../../util/ignore.ts";

const badMiddleware = (label: string): EspalierError =>
  new EspalierError("ERR_PIPELINE_BAD_MIDDLEWARE", `${label} got no valid middleware.`);

/** Creates an error that does not describe the class. */
export const notAnInstance: typeof full.notAnInstance = badMiddleware;

/** Creates an error that does not describe the value. */
export const notAMiddleware: typeof full.notAMiddleware = (label, value) => {
  ignoreRejection(value);
  return badMiddleware(label);
};

/** Creates an error that does not say which names can be used. */
export const badMiddlewareName: typeof full.badMiddlewareName = (name) =>
  badMiddleware(`middleware("${name}")`);

/** Creates an error that does not say how to add several. */
export const tooManyMiddleware: typeof full.tooManyMiddleware = () => badMiddleware("use()");
