import { EspalierError } from "../errors.ts";
import { decodeBase64, decodeBase64Url, encodeBase64Url } from "../util/base64url.ts";
import { kindOf } from "../util/describe.ts";
import { lazy } from "../util/lazy.ts";
import { checkOptionNames } from "../util/options.ts";

/** Options of {@link Encrypter}. */
export interface EncrypterOptions {
  /**
   * Keys of 32 random bytes in base64 (`openssl rand -base64 32`). The first encrypts, each decrypts: put a new
   * key first, and remove an old one when nothing is encrypted with it any more.
   */
  readonly keys: readonly string[];
}

interface Key {
  /** Tells which key encrypted a value; the first 6 bytes of the key's SHA-256. */
  readonly id: string;
  readonly key: CryptoKey;
}

const owner = { code: "ERR_CRYPTO_BAD_OPTION", name: "Encrypter" } as const;
const keyBytes = 32;
const nonceBytes = 12;

/**
 * Encrypts strings for storage with AES-256-GCM (NIST SP 800-38D): tokens of other services, personal data. A
 * modified value does not decrypt.
 *
 * A value is `<key id>.<nonce, ciphertext and tag in base64url>`. The nonce is random: replace a key before it has
 * encrypted 2^32 values.
 *
 * ```ts
 * const encrypter = new Encrypter({ keys: [env.ENCRYPTION_KEY] });
 * const stored = await encrypter.encrypt(token, `user ${user.id}`);
 * await encrypter.decrypt(stored, `user ${user.id}`); // the token
 * ```
 */
export class Encrypter {
  readonly #keys: () => Promise<readonly Key[]>;

  /** @throws EspalierError `ERR_CRYPTO_BAD_OPTION` unless there is a key, and each has 32 bytes */
  constructor(options: EncrypterOptions) {
    checkOptionNames(owner, options, { keys: true });
    const { keys } = options;
    if (!Array.isArray(keys) || keys.length === 0) throw badKey(`got ${kindOf(keys)}`);
    const parsed = keys.map(bytesOfKey);
    this.#keys = lazy(() => Promise.all(parsed.map(importKey)));
  }

  /**
   * Encrypts a string.
   *
   * @param context what the value belongs to, such as a table and an id. It is not stored, but needed to decrypt, so
   *   that a value copied to another row does not decrypt there.
   */
  async encrypt(text: string, context = ""): Promise<string> {
    const [current] = await this.#keys();
    if (current === undefined) throw badKey("got none");
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
    const bytes = new TextEncoder().encode(text);
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, context), current.key, bytes);
    const value = new Uint8Array(nonceBytes + sealed.byteLength);
    value.set(nonce);
    value.set(new Uint8Array(sealed), nonceBytes);
    return `${current.id}.${encodeBase64Url(value)}`;
  }

  /**
   * Decrypts a string; returns undefined if it was modified, or encrypted with another key or context.
   */
  async decrypt(value: string, context = ""): Promise<string | undefined> {
    const dot = value.indexOf(".");
    const [id, text] = [value.slice(0, dot), value.slice(dot + 1)];
    const bytes = decodeBase64Url(text);
    const known = (await this.#keys()).find((key) => key.id === id);
    if (known === undefined || bytes === undefined || bytes.length < nonceBytes) return undefined;
    const nonce = bytes.slice(0, nonceBytes);
    try {
      const sealed = bytes.slice(nonceBytes);
      const opened = await crypto.subtle.decrypt(algorithm(nonce, context), known.key, sealed);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(opened);
    } catch {
      // The platform reports no reason: the tag does not match.
      return undefined;
    }
  }

  /** Returns whether a value was encrypted with an old key, and should be encrypted again. */
  async isOutdated(value: string): Promise<boolean> {
    const [current] = await this.#keys();
    return !value.startsWith(`${current?.id}.`);
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(context) };
}

function bytesOfKey(key: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === "string" ? decodeBase64(key) : undefined;
  if (bytes?.length === keyBytes) return bytes;
  throw badKey(
    bytes === undefined ? `got ${kindOf(key)} that is not base64` : `got ${bytes.length} bytes`,
  );
}

async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<Key> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: encodeBase64Url(digest.subarray(0, 6)), key };
}

function badKey(got: string): EspalierError {
  return new EspalierError(
    "ERR_CRYPTO_BAD_OPTION",
    `The option "keys" of Encrypter must be a list of keys of ${keyBytes} random bytes in base64, ${got}. ` +
      "Is the environment variable set?",
  );
}
