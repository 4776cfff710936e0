import { EspalierError } from "../errors.ts";
import { decodeBase64 } from "../util/base64url.ts";
import { kindOf } from "../util/describe.ts";

/** A secret, or several while one replaces another: all of them sign, and each of them verifies. */
export type WebhookSecret = string | readonly string[];

/** Lengths that Standard Webhooks recommends. */
const minBytes = 24;
const maxBytes = 64;

/**
 * Returns the keys of secrets: `whsec_`, which may be missing, and 24 to 64 bytes in base64.
 *
 * @throws EspalierError `ERR_WEBHOOK_BAD_SECRET`
 */
export function webhookKeys(secret: WebhookSecret): readonly Uint8Array<ArrayBuffer>[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (Array.isArray(secrets) && secrets.length > 0) return secrets.map(keyOf);
  throw badSecret(`got ${kindOf(secret)}`);
}

function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== "string") throw badSecret(`got ${kindOf(secret)}`);
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (bytes === undefined) throw badSecret("got a string that is not base64");
  if (bytes.length >= minBytes && bytes.length <= maxBytes) return bytes;
  throw badSecret(`got ${bytes.length} bytes`);
}

function badSecret(got: string): EspalierError {
  return new EspalierError(
    "ERR_WEBHOOK_BAD_SECRET",
    `The secret of a webhook must be "whsec_" and ${minBytes} to ${maxBytes} bytes in base64, ${got}. ` +
      "Is the environment variable set?",
  );
}
