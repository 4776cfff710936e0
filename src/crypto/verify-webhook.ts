import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { readBytes } from "../http/read-bytes.ts";
import { decodeBase64 } from "../util/base64url.ts";
import { checkInteger, checkOptionNames } from "../util/options.ts";
import { verifyHmac } from "./hmac.ts";
import { isWebhookId, webhookContent } from "./sign-webhook.ts";
import { type WebhookSecret, webhookKeys } from "./webhook-secret.ts";

/** Options of {@link verifyWebhook}. */
export interface VerifyWebhookOptions {
  /** Maximum difference between the sender's clock and this one; default 300, which prevents late replays. */
  readonly toleranceSeconds?: number;
}

/** A webhook whose signature is valid. */
export interface VerifiedWebhook {
  /** Identifies the event: a sender repeats it after a failure, so ignore ids that have been processed. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
}

const owner = { code: "ERR_WEBHOOK_BAD_OPTION", name: "verifyWebhook" } as const;

/** A sender with several secrets sends few signatures; more would only cost time. */
const maxSignatures = 10;

/** Limit of a body for which the application has set none, with `bodyParser: false`. */
const maxUnparsedBytes = 1_048_576;

/**
 * Verifies the signature of a received webhook according to Standard Webhooks (standardwebhooks.com), over the
 * bytes of the body as they arrived. Parses the body if that has not been done.
 *
 * ```ts
 * const { id } = await verifyWebhook(ctx, ctx.env.WEBHOOK_SECRET);
 * ```
 *
 * @param secret shared with the sender, `whsec_…`; several while one replaces another
 * @throws HttpError 400 if a header is missing or malformed, 403 if no signature is valid or the timestamp is
 *   outside the tolerance, 413 for a body over its limit; with `bodyParser: false` that is 1 MiB
 * @throws EspalierError `ERR_WEBHOOK_BAD_SECRET`, `ERR_WEBHOOK_BAD_OPTION`
 */
export async function verifyWebhook(
  ctx: RequestContext,
  secret: WebhookSecret,
  options: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  checkOptionNames(owner, options, { toleranceSeconds: true });
  const tolerance = checkInteger(owner, "toleranceSeconds", options.toleranceSeconds ?? 300, 1);
  const keys = webhookKeys(secret);
  const { id, timestamp, signatures } = readHeaders(ctx.headers);
  const content = webhookContent(id, timestamp, await bodyOf(ctx));
  if (!(await isSigned(content, keys, signatures))) {
    throw new HttpError(403, "The signature of the webhook is not valid.");
  }
  const sentAt = Number(timestamp) * 1000;
  if (Math.abs(Date.now() - sentAt) > tolerance * 1000) {
    throw new HttpError(403, "The timestamp of the webhook is too old or in the future.");
  }
  return { id, timestamp: new Date(sentAt) };
}

interface WebhookSignature {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

function readHeaders(headers: Headers): WebhookSignature {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const versions = (headers.get("webhook-signature") ?? "").split(" ");
  if (!isWebhookId(id)) throw badHeader("webhook-id");
  if (!/^\d{1,12}$/.test(timestamp)) throw badHeader("webhook-timestamp");
  const signatures = versions
    // Signatures of other versions are for receivers that know them.
    .filter((signature) => signature.startsWith("v1,"))
    .slice(0, maxSignatures)
    .map((signature) => decodeBase64(signature.slice("v1,".length)))
    .filter((bytes) => bytes !== undefined);
  if (signatures.length === 0) throw badHeader("webhook-signature");
  return { id, timestamp, signatures };
}

function badHeader(name: string): HttpError {
  return new HttpError(400, `The header ${name} is missing or malformed.`);
}

async function bodyOf(ctx: RequestContext): Promise<Uint8Array<ArrayBuffer>> {
  await ctx.parseBody();
  if (ctx.rawBody !== undefined) return ctx.rawBody;
  // A body of a type that is not parsed is read here, and stays readable for the handler.
  const copy = ctx.request.clone();
  const isLimited = ctx.internalBody?.content !== undefined;
  if (isLimited) return new Uint8Array(await copy.arrayBuffer());
  const { body } = copy;
  const length = ctx.headers.get("content-length");
  return body === null ? new Uint8Array() : readBytes(body, maxUnparsedBytes, length);
}

async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const checks = keys.flatMap((key) => signatures.map((bytes) => verifyHmac(key, content, bytes)));
  return (await Promise.all(checks)).includes(true);
}
