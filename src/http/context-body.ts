import { EspalierError } from "../errors.ts";
import {
  isParsed,
  limitRequestBody,
  limitUnparsedBody,
  type ParsedBody,
  parsedTypeOf,
  readBody,
  rebuildRequest,
} from "./body.ts";
import type { BodyParsing, ContextInput, MatchedRoute } from "./context-input.ts";
import { HttpError } from "./http-error.ts";
import { bodyKind } from "./media-type.ts";
import { isByteSource } from "./read-bytes.ts";

/** Returns the parsing of bodies of at most `limitBytes`, the option `bodyLimit` of a route. */
export function withBodyLimit(parsing: BodyParsing, limitBytes: number): BodyParsing {
  return { ...parsing, limits: { ...parsing.limits, limitBytes, multipartLimitBytes: limitBytes } };
}

/** The body of one request, and how much of it is buffered. */
export class RequestBody {
  readonly #input: ContextInput;
  readonly #parsing: BodyParsing;
  #request: Request | undefined;
  #content: ParsedBody | undefined;
  #parsed: Promise<unknown> | undefined;
  #reservedBytes = 0;
  /** There is a response, so the body is not needed any more. */
  #isOver = false;

  /** Keeps the shape of the instances: see {@link RequestContext.internalSample}. */
  static readonly sample: object = /* @__PURE__ */ new RequestBody(
    {} as ContextInput,
    {} as BodyParsing,
  );

  constructor(input: ContextInput, parsing: BodyParsing) {
    this.#input = input;
    this.#parsing = parsing;
  }

  /** The parsed body; undefined before parsing. */
  get content(): ParsedBody | undefined {
    return this.#content;
  }

  /** Whether the body must still be parsed before a handler runs. */
  get isUnparsed(): boolean {
    return this.#content === undefined;
  }

  /** The request, created on first access: over the bytes of its parsed body, else limited as the parser is. */
  get request(): Request {
    this.#request ??= this.#createReadableRequest();
    return this.#request;
  }

  /** See {@link RequestContext.parseBody}. */
  parse(): Promise<unknown> {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  /**
   * Returns the parsed body; undefined if the request has none, or if there is a response already: it may have been
   * made without the body having been needed.
   *
   * @throws EspalierError `ERR_HTTP_BODY_NOT_PARSED` before the body is parsed
   */
  read(member: string, hasResponse: boolean): ParsedBody | undefined {
    const { route } = this.#input;
    if (this.#content === undefined && !hasResponse && route !== undefined) {
      this.#assertNoBody(member, route);
    }
    return this.#content;
  }

  /** Releases the reserved bytes, and stops reading a body that is still arriving, such as after a timeout. */
  release(): void {
    this.#isOver = true;
    if (this.#parsed !== undefined && this.#content === undefined) {
      const { request } = this.#input;
      this.#parsed.catch(() => {});
      if (isByteSource(request)) request.stopReading?.(bodyNotNeeded());
    }
    if (this.#reservedBytes === 0) return;
    this.#parsing.limits.budget.release(this.#reservedBytes);
    this.#reservedBytes = 0;
  }

  async #parse(): Promise<unknown> {
    const { request, route, services } = this.#input;
    const { limits } = this.#parsing;
    if (route === undefined) return undefined;
    const contentType = parsedTypeOf(request.headers);
    if (contentType === undefined) {
      const unparsed = limitUnparsedBody(request, limits.limitBytes, services.host.isFramed);
      // The headers announce more than the limit.
      if (unparsed.failure !== undefined) throw unparsed.failure;
      this.#content = unparsed;
      return undefined;
    }
    const count = (bytes: number): void => {
      // A client may go on sending after a timeout has responded.
      if (this.#isOver) throw bodyNotNeeded();
      limits.budget.reserve(bytes);
      this.#reservedBytes += bytes;
    };
    // A middleware may have read the body itself, or created the limited stream by accessing `request`.
    const source = this.#request ?? request;
    const { isFramed, isTextFaster } = services.host;
    const server = { isFramed, isTextFaster, parts: services.options.parts };
    if (source.bodyUsed) throw bodyWasUsed();
    this.#content = await readBody(source, limits, server, count, contentType);
    this.#request = undefined;
    return this.#content.body;
  }

  #createReadableRequest(): Request {
    const { request, services } = this.#input;
    const rawBody = this.#content?.rawBody;
    if (rawBody !== undefined) return rebuildRequest(request, rawBody);
    // Reading the body through the request is subject to the same limit as the parser.
    const { limitBytes, multipartLimitBytes } = this.#parsing.limits;
    const kind = bodyKind(request.headers.get("content-type"));
    const limit = kind === "multipart" ? multipartLimitBytes : limitBytes;
    const { readLimitBytes } = limitUnparsedBody(request, limit, services.host.isFramed);
    return readLimitBytes === undefined ? request : limitRequestBody(request, readLimitBytes);
  }

  #assertNoBody(member: string, route: MatchedRoute): void {
    const { request } = this.#input;
    if (!isParsed(request)) return;
    if (request.headers.get("content-length") === "0" || request.body === null) return;
    throw bodyNotParsed(member, route);
  }
}

function bodyNotParsed(member: string, { method, pattern }: MatchedRoute): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BODY_NOT_PARSED",
    `ctx.${member} of ${method} ${pattern} was read before the body was parsed. A middleware that needs it must call ` +
      "await ctx.parseBody() first.",
  );
}

/** Returns the error of reading a body after the response. */
function bodyNotNeeded(): HttpError {
  return new HttpError(
    400,
    "The request body was not read to its end: there was a response before.",
  );
}

/** Returns the error for a body that a middleware has read through the request. */
function bodyWasUsed(): EspalierError {
  return new EspalierError(
    "ERR_HTTP_BODY_USED",
    "The body cannot be parsed: a middleware has read it through ctx.request. Use await ctx.parseBody() " +
      "there, then ctx.body or ctx.rawBody; or set the route option bodyParser: false.",
  );
}
