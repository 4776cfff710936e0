import { EspalierError } from "../errors.ts";
import type { RequestContext } from "./context.ts";
import type { BodyInit } from "./web-types.ts";

/** Body of a forwarded request: from memory after it was parsed, else a stream. */
export class ForwardedBody {
  /** Null for a request without a body. */
  readonly content: BodyInit | null;
  readonly #abort: (reason: unknown) => void;
  #hasFailed = false;
  #failure: unknown;

  /**
   * @param abort aborts the forwarded request: workerd would end it, and the upstream take a part of the body
   *   for the whole
   * @throws EspalierError `ERR_HTTP_BODY_USED` if the body has been read
   */
  constructor(ctx: RequestContext<object>, abort: (reason: unknown) => void) {
    this.#abort = abort;
    this.content = this.#contentOf(ctx);
  }

  /** True if the client has not sent the whole body: `fetch` reports that like an error of the upstream. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The error of reading the body; undefined if there was none. */
  get failure(): unknown {
    return this.#failure;
  }

  #contentOf(ctx: RequestContext<object>): BodyInit | null {
    if (ctx.method === "GET" || ctx.method === "HEAD") return null;
    const bytes = ctx.internalBody?.content?.rawBody;
    if (bytes !== undefined) return bytes.length === 0 ? null : bytes;
    const { request, headers } = ctx;
    const { body } = request;
    if (request.bodyUsed) throw bodyUsed();
    // A Worker sends the length of the platform's own stream only.
    const { onCloudflare } = ctx.internalInput.services;
    if (body === null || (onCloudflare && headers.has("content-length"))) return body;
    return this.#observed(body);
  }

  #observed(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader();
    return new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await reader.read().catch((error: unknown) => {
            this.#hasFailed = true;
            this.#failure = error;
            this.#abort(error);
            throw error;
          });
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

function bodyUsed(): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    "proxy() cannot forward the body, because it has been read. Call proxy() first, or read a copy: " +
      "ctx.request.clone().",
  );
}
