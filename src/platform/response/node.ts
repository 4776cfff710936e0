import {
  type NewResponseInit,
  newResponse as newNativeResponse,
  type ResponseClass,
} from "./native.ts";

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
  return serverResponseClass === undefined
    ? newNativeResponse(body, init)
    : new serverResponseClass(body, init);
}

/**
 * Whether a response is known to have changeable headers without looking at them: the server's
 * class builds no other, and creates its headers only when somebody looks.
 */
export function isKnownMutable(response: Response): boolean {
  return (
    serverResponseClass !== undefined &&
    Object.getPrototypeOf(response) === serverResponseClass.prototype
  );
}

/**
 * Whether a response is known to have its whole body, without looking at it: the server's class would
 * build a native response only to say so.
 */
export function isKnownUnread(response: Response): boolean {
  return isKnownMutable(response) && !(touched in response);
}

/** Makes `newResponse` use a server's own response class; called once the server is chosen. */
export function useResponseClass(responseClass: ResponseClass): void {
  serverResponseClass = noteReading(responseClass);
}

/** Stands on a response that somebody has begun to read. */
const touched: unique symbol = Symbol("touched");

const readers = ["body", "text", "json", "arrayBuffer", "bytes", "blob", "formData", "clone"];

/** Makes a class of responses that are the same, and on which `touched` stands once a body is asked for. */
function noteReading(responseClass: ResponseClass): ResponseClass {
  const { prototype } = responseClass;
  const Noting = class extends responseClass {};
  for (const name of readers) {
    Object.defineProperty(Noting.prototype, name, {
      configurable: true,
      get(this: Response & { [touched]?: true }): unknown {
        this[touched] = true;
        return Reflect.get(prototype, name, this);
      },
    });
  }
  return Noting;
}
