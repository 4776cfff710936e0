import type { BodyInit } from "../../http/web-types.ts";
import { detectRuntime } from "../runtime.ts";
import { type BufferedBody, BufferedResponse } from "./buffered-response.ts";
import {
  isBuffered as isNativeBuffered,
  type NewResponseInit,
  newResponse as newNativeResponse,
} from "./native.ts";

/** The native `Response` on Node; undefined when a bundle for Node runs on another runtime. */
const NodeResponse: typeof Response | undefined = detectRuntime() === "node" ? Response : undefined;

/**
 * Creates a response that builds a native one only on demand if the body is buffered; otherwise the
 * platform's own.
 *
 * If the global `Response` has been replaced since, creates an instance of the replacement.
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
 * Returns `true` if the headers are known to be mutable without accessing them: always for a buffered
 * response, which creates its headers only on access.
 */
export function hasMutableHeaders(response: Response): boolean {
  return BufferedResponse.is(response);
}

/** Returns `true` if the whole body is known to be in memory, so that sending it cannot fail. */
export function isBuffered(response: Response): boolean {
  return BufferedResponse.is(response) || isNativeBuffered(response);
}

/**
 * Returns `true` if the body is known to be unread without accessing it, since a buffered response would
 * build a native one to check.
 */
export function isUnread(response: Response): boolean {
  return BufferedResponse.is(response) && response.isUntouched;
}
