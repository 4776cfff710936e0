import { EspalierError } from "../../errors.ts";
import type * as full from "../../util/missing-part.ts";

/** Creates an error that does not say how to pass the part. */
export const missingPart: typeof full.missingPart = (name, usedBy) =>
  new EspalierError("ERR_APPLICATION_MISSING_PART", `${usedBy} needs the option "${name}".`);

/** Creates an error that does not say how to pass a validator. */
export const missingValidator: typeof full.missingValidator = () =>
  new EspalierError("ERR_VALIDATION_NO_VALIDATOR", "validation rules require a validator.");

/** Creates an error that does not say how to bundle the module. */
export const missingMatcher: typeof full.missingMatcher = () =>
  new EspalierError("ERR_ROUTE_NO_MATCHER", "The router's WebAssembly module is missing.");
