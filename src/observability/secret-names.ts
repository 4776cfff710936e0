/** Parts that make a name secret wherever they occur in it. */
const parts: readonly string[] = [
  "pass",
  "pwd",
  "secret",
  "token",
  "authori[sz]ation",
  "cookie",
  "credential",
  "crypt",
  "signature",
  "assertion",
  "certificate",
  "csrf",
  "xsrf",
  "e_?mail",
  "cvv",
  "cvc",
  "api_?key",
  "private_?key",
  "access_?key",
  "session_?id",
  "sessid",
  "session_?key",
  "card_?(?:number|num|no)(?![a-z])",
  "account_?number",
  "routing_?number",
  "security_?(?:code|number)",
  "social_?security",
  "connection_?string",
  "forwarded_?for",
  "remote_?addr",
];

/** Words that make a name secret where they stand alone: `userPin` and `pin_2`, but not `shipping`. */
const words: readonly string[] = [
  "auth",
  "bank_account",
  "cert",
  "client_principal",
  "csc",
  "cvn",
  "database_url",
  "dpop",
  "dsn",
  "hmac",
  "iban",
  "ip",
  "ip_?address",
  "jwt",
  "keys?",
  "mfa",
  "national_id",
  "oidc_data",
  "otp",
  "pan",
  "pin",
  "pin_?code",
  "salt",
  "saml(?:_?(?:request|response))?",
  "session",
  "sid",
  "sig",
  "sort_code",
  "ssn",
  "symfony",
  "tax_id",
  "totp",
  "verifier",
];

/** Names of secret codes, unlike country or product codes. `code` alone is OAuth's authorisation code. */
const codes =
  "_(?:auth|oauth|otp|totp|mfa|sms|login|verification|verify|confirmation|recovery|backup|reset|access|" +
  "device|user|invite|invitation)_?codes?_|^_code_$";

/** `Forwarded` contains the client's address; `X-Forwarded-Proto` does not. */
const addresses = "^_forwarded_$";

/** A longer name is secret: no application has one, and examining it would take time. */
const maxNameLength = 200;
/** Names repeat from request to request. Clients choose them, so that their number must be bounded. */
const maxKnownNames = 1_000;

/**
 * Returns a test for names of headers, parameters and fields whose values must not be logged: those of the
 * default lists of Rails and Sentry, of OWASP's logging guide, and of signed URLs and OAuth.
 *
 * @param further strings that make a name secret wherever they occur, in any case
 * @param except names that are not secret, in any spelling
 */
export function createSecretNameTest(
  further: readonly string[],
  except: readonly string[],
): (name: string) => boolean {
  const secret = new RegExp(
    `${parts.join("|")}|_(?:${words.join("|")})\\d*_|${codes}|${addresses}`,
  );
  const exempt = new Set(except.flatMap(spellingsOf));
  const furtherNames = further.map((one) => one.toLowerCase());
  const known = new Map<string, boolean>();

  function examine(name: string): boolean {
    const lower = name.toLowerCase();
    if (furtherNames.some((one) => lower.includes(one))) return true;
    return spellingsOf(name).some((one) => secret.test(one) && !exempt.has(one));
  }

  return (name) => {
    if (name.length > maxNameLength) return true;
    let isSecret = known.get(name);
    if (isSecret !== undefined) return isSecret;
    isSecret = examine(name);
    if (known.size >= maxKnownNames) known.clear();
    known.set(name, isSecret);
    return isSecret;
  };
}

/** Both spellings are examined: `userPin` is two words, and `DPoP` one. */
function spellingsOf(name: string): string[] {
  return [wordsOf(name), wordsOf(name.toLowerCase())];
}

/**
 * Spells a name as lower-case words with `_` around each: `X-Amz-Signature` and `xAmzSignature` are
 * `_x_amz_signature_`.
 */
function wordsOf(name: string): string {
  const separated = name
    .replace(/%[\dA-F]{2}/gi, "_")
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .replace(/[^A-Za-z\d]+/g, "_");
  return `_${separated}_`.toLowerCase().replace(/_+/g, "_");
}
