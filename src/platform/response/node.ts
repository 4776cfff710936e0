import {
  type NewResponseInit,
  newResponse as newNativeResponse,
  type ResponseClass,
} from "./native.ts";
import type { WholeBody } from "./whole-response.ts";

export type { ResponseClass };

/**
 * What the process builds responses with: nothing until a server is started, so that an import
 * costs no server. It is a fact about the process, not about an application: either class gives
 * responses that behave alike.
 */
let serverResponseClass: ResponseClass | undefined;

/**
 * Builds a response with the class of the server that runs in this process, which can be sent
 * without ever making a native `Response`, else with the platform's own.
 */
export function newResponse(body: BodyInit | null, init: NewResponseInit): Response {
  return serverResponseClass !== undefined && isWhole(body)
    ? new serverResponseClass(body, init)
    : newNativeResponse(body, init);
}

/** Whether a body is there at once, as the server's class takes it. */
function isWhole(body: BodyInit | null): body is WholeBody {
  return typeof body === "string" || body === null || body instanceof Uint8Array;
}

/**
 * Whether a response is known to have changeable headers without looking at them: the server's
 * class builds no other, and creates its headers only when somebody looks.
 */
export function isKnownMutable(response: Response): boolean {
  return serverResponseClass?.is(response) === true;
}

/**
 * Whether a response is known to have its whole body, without looking at it: the server's class would
 * build a native response only to say so.
 */
export function isKnownUnread(response: Response): boolean {
  return serverResponseClass?.is(response) === true && response.isUntouched;
}

/** Makes `newResponse` use a server's own response class; called once the server is chosen. */
export function useResponseClass(responseClass: ResponseClass): void {
  serverResponseClass = responseClass;
}
