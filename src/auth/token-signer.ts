import { EspalierError } from "../errors.ts";
import type { ResolvedAuthOptions } from "./auth-options.ts";
import { JoseLoader } from "./jose-loader.ts";
import type { LazyAuthKeys } from "./keys/lazy-auth-keys.ts";

/** Signs the tokens of an `Auth`. */
export class TokenSigner {
  readonly #keys: LazyAuthKeys;
  readonly #jose: JoseLoader = new JoseLoader();
  readonly #options: ResolvedAuthOptions;

  constructor(keys: LazyAuthKeys, options: ResolvedAuthOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /**
   * Signs a token with these claims, and `iat`, `exp`; with `iss`, `aud` and `jti` as the options say.
   *
   * @throws EspalierError `ERR_AUTH_CANNOT_SIGN`, `ERR_AUTH_TOKEN_TOO_LARGE`
   */
  async sign(claims: Readonly<Record<string, unknown>>, lifetimeSeconds: number): Promise<string> {
    const { signing } = this.#keys.get();
    const algorithm = signing?.algorithms[0];
    if (signing === undefined || algorithm === undefined) throw cannotSign();
    const { issuer, audience, now, revocations, maxTokenBytes } = this.#options;
    const issuedAt = Math.floor(now() / 1000);
    const payload = {
      ...(issuer[0] === undefined ? {} : { iss: issuer[0] }),
      ...(audience[0] === undefined ? {} : { aud: audience[0] }),
      ...(revocations === undefined ? {} : { jti: crypto.randomUUID() }),
      ...claims,
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
    };
    const header = {
      alg: algorithm,
      typ: "JWT",
      ...(signing.id === undefined ? {} : { kid: signing.id }),
    };
    const [key, { SignJWT }] = await Promise.all([signing.import(algorithm), this.#jose.load()]);
    const token = await new SignJWT(payload).setProtectedHeader(header).sign(key);
    if (token.length <= maxTokenBytes) return token;
    throw new EspalierError(
      "ERR_AUTH_TOKEN_TOO_LARGE",
      `The token has ${token.length} bytes; at most ${maxTokenBytes} are accepted. ` +
        "Store only the user's id in it and look the rest up with resolveUser, or raise maxTokenBytes.",
    );
  }
}

function cannotSign(): EspalierError {
  return new EspalierError(
    "ERR_AUTH_CANNOT_SIGN",
    "This Auth has no key to sign with: it only verifies. Give it a secret or a privateKey.",
  );
}
