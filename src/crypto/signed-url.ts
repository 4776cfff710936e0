import type { RequestContext } from "../http/context.ts";
import { HttpError } from "../http/http-error.ts";
import { decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";
import { checkInteger, checkOptionNames } from "../util/options.ts";
import { signHmac, verifyHmac } from "./hmac.ts";
import { type Secrets, secretList } from "./secrets.ts";

/** Options of {@link signUrl}. */
export interface SignUrlOptions {
  /** Lifetime of the link. */
  readonly expiresInSeconds: number;
}

const owner = { code: "ERR_CRYPTO_BAD_OPTION", name: "signUrl" } as const;

/**
 * Signs a URL, which is valid until it expires: for downloads, unsubscribe links and confirmations of an e-mail
 * address. Appends `expires` and `signature`; the signature covers path and query, but not the host.
 *
 * A link is not single-use, and can be read in logs and histories of browsers: keep the lifetime short.
 *
 * ```ts
 * const path = router.url("invoices.download", { id: 7 });
 * const link = await signUrl(new URL(path, ctx.url), secret, { expiresInSeconds: 600 });
 * ```
 *
 * @param secret at least 32 characters; of several the first signs
 * @throws EspalierError `ERR_CRYPTO_BAD_SECRET`, `ERR_CRYPTO_BAD_OPTION`
 */
export async function signUrl(
  url: string | URL,
  secret: Secrets,
  options: SignUrlOptions,
): Promise<string> {
  checkOptionNames(owner, options, { expiresInSeconds: true });
  const seconds = checkInteger(owner, "expiresInSeconds", options.expiresInSeconds, 1);
  const [current = ""] = secretList(secret, "signUrl");
  const signed = new URL(url);
  signed.searchParams.delete("signature");
  signed.searchParams.set("expires", String(Math.floor(Date.now() / 1000) + seconds));
  const signature = await signHmac(current, signedText(signed.pathname + signed.search));
  signed.search += `&signature=${encodeBase64Url(signature)}`;
  return signed.href;
}

/**
 * Verifies the signature of the request's URL.
 *
 * @param secret of several, each verifies: put the new one first, and remove the old one when its links have expired
 * @throws HttpError 403 if the signature is missing or invalid, or the link has expired
 * @throws EspalierError `ERR_CRYPTO_BAD_SECRET`
 * @example await verifySignedUrl(ctx, env.URL_SECRET); // in a handler, before the file is sent
 */
export async function verifySignedUrl(ctx: RequestContext, secret: Secrets): Promise<void> {
  const secrets = secretList(secret, "verifySignedUrl");
  const { pathname, search } = ctx.url;
  const [, query = "", text = ""] = /^(.*)&signature=([\w-]{1,100})$/.exec(search) ?? [];
  const signature = decodeBase64Url(text);
  const content = signedText(pathname + query);
  const isValid =
    signature !== undefined &&
    (await Promise.all(secrets.map((one) => verifyHmac(one, content, signature)))).includes(true);
  if (!isValid) throw new HttpError(403, "The signature of the link is not valid.");
  const expires = Number(new URLSearchParams(query).get("expires"));
  if (Date.now() >= expires * 1000) throw new HttpError(403, "The link has expired.");
}

/** The purpose is part of the content: a signature made for something else is not valid here. */
function signedText(target: string): string {
  return `espalier signed URL\n${target}`;
}
