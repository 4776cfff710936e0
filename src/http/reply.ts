declare const replyType: unique symbol;
declare const textType: unique symbol;

/** A `Response` whose status and body are known to TypeScript; the body is that before it is written as JSON. */
export type Reply<Status extends number = number, Body = unknown> = Response & {
  /** Exists for TypeScript only. */
  readonly [replyType]?: readonly [Status, Body];
};

/** Status and body of a {@link Reply}; of any other `Response` they are `number` and `unknown`. */
export type ReplyParts<Given> = typeof replyType extends keyof Given
  ? NonNullable<Given[typeof replyType]>
  : readonly [number, unknown];

/** The body of the helpers `success` and `created`. */
export interface SuccessBody<Data> {
  /** True, where `error` writes false. */
  readonly success: true;
  /** Data that the handler returned. */
  readonly data: Data;
}

/** The body of the helper `error`. */
export interface ErrorBody {
  /** False, where `success` writes true. */
  readonly success: false;
  /** Description of the error. */
  readonly message: string;
}

/** The body of the helpers `text` and `html`, which is not JSON. */
export interface TextBody {
  /** Exists for TypeScript only. */
  readonly [textType]: true;
}
