import type * as full from "../../../application/request/debug-response.ts";
import { createDebugProblem } from "./debug-problem.ts";

/** Creates Problem Details without the error: the option `debug` has no effect. */
export const createDebugResponse: typeof full.createDebugResponse = createDebugProblem;
