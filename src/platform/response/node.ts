import type { BodyInit } from "../../http/web-types.ts";
import { detectRuntime } from "../runtime.ts";
import { type BufferedBody, BufferedResponse } from "./buffered-response.ts";
import { type NewResponseInit, newResponse as newNativeResponse } from "./native.ts";

/** The `Response` that a whole one passes for; none where a bundle that was made for Node runs elsewhere. */
const NodeResponse: typeof Response | undefined = detectRuntime() === "node" ? Response : undefined;

/**
 * Builds a response that makes a native one only when it has to, where the whole body is there; else the
 * platform's own.
 *
 * Somebody may have put another `Response` in place since: then it is one of those.
 */
export function newResponse(body: BodyInit | null, init: NewResponseInit): Response {
  return isWhole(body) && Response === NodeResponse
    ? new BufferedResponse(body, init)
    : newNativeResponse(body, init);
}

function isWhole(body: BodyInit | null): body is BufferedBody {
  return typeof body === "string" || body === null || body instanceof Uint8Array;
}

/**
 * Whether a response is known to have changeable headers without looking at them: a whole one has no others,
 * and creates them only when somebody looks.
 */
export function hasMutableHeaders(response: Response): boolean {
  return BufferedResponse.is(response);
}

/**
 * Whether a response is known to have its whole body, without looking at it: a whole one would build a native
 * one only to say so.
 */
export function isUnread(response: Response): boolean {
  return BufferedResponse.is(response) && response.isUntouched;
}
