import { EspalierError } from "../errors.ts";
import { encodeBase64 } from "../util/base64url.ts";
import { describe } from "../util/describe.ts";
import { signHmac } from "./hmac.ts";
import { type WebhookSecret, webhookKeys } from "./webhook-secret.ts";

/** Message to sign. */
export interface WebhookMessage {
  /** Identifies the event, and is the same for every attempt to deliver it: receivers ignore repetitions. */
  readonly id: string;
  /** The body exactly as it is sent. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Time of this attempt; default now. */
  readonly timestamp?: Date;
}

/** Headers of a signed webhook. */
export interface WebhookHeaders {
  /** Id of the message, the same for each attempt. */
  readonly "webhook-id": string;
  /** Seconds since the epoch. */
  readonly "webhook-timestamp": string;
  /** One signature for each secret, separated by spaces: `v1,<base64>`. */
  readonly "webhook-signature": string;
}

/**
 * Signs a webhook according to Standard Webhooks (standardwebhooks.com), and returns the headers to send with
 * the body.
 *
 * ```ts
 * const body = JSON.stringify({ type: "order.paid", data: { id: 7 } });
 * const signature = await signWebhook({ id: "msg_7", body }, secret);
 * await fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...signature } });
 * ```
 *
 * @param secret of this receiver; several while one replaces another
 * @throws EspalierError `ERR_WEBHOOK_BAD_SECRET`, `ERR_WEBHOOK_BAD_MESSAGE` for an id that is empty or contains
 *   a dot, and for an invalid date
 */
export async function signWebhook(
  { id, body, timestamp = new Date() }: WebhookMessage,
  secret: WebhookSecret,
): Promise<WebhookHeaders> {
  const keys = webhookKeys(secret);
  const seconds = Math.floor(timestamp.getTime() / 1000);
  if (!isWebhookId(id)) throw badMessage("id", id, "1 to 256 visible characters without a dot");
  if (!Number.isFinite(seconds)) throw badMessage("timestamp", timestamp, "a valid date");
  const content = webhookContent(id, String(seconds), body);
  const signatures = await Promise.all(keys.map((key) => signHmac(key, content)));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.map((bytes) => `v1,${encodeBase64(bytes)}`).join(" "),
  };
}

/** Returns whether a string can be an id: a dot would make the signed content ambiguous. */
export function isWebhookId(id: unknown): id is string {
  return typeof id === "string" && /^[!-\-/-~]{1,256}$/.test(id);
}

/** Returns the bytes that are signed: `<id>.<timestamp>.<body>`. */
export function webhookContent(
  id: string,
  timestamp: string,
  body: string | Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  return content;
}

function badMessage(name: string, value: unknown, expected: string): EspalierError {
  return new EspalierError(
    "ERR_WEBHOOK_BAD_MESSAGE",
    `The ${name} of a webhook must be ${expected}, got ${describe(value)}.`,
  );
}
