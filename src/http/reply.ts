declare const replyType: unique symbol;

/** A `Response` whose status and body are known to TypeScript; the body is that before it is written as JSON. */
export type Reply<Status extends number = number, Body = unknown> = Response & {
  /** Exists for TypeScript only. */
  readonly [replyType]?: readonly [Status, Body];
};

/** The body of the helpers `success` and `created`. */
export interface SuccessBody<Data> {
  /** True, where `error` writes false. */
  readonly success: true;
  /** What the handler returned. */
  readonly data: Data;
}
