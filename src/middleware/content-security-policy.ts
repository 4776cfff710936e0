import { badOption, type OptionOwner } from "../util/options.ts";

/**
 * A policy as a string, or its directives: `{ defaultSrc: ["'self'"], scriptSrc: ["'self'", "'nonce'"] }`.
 *
 * Names are in camel case or as in the header; `true` is a directive without a value. The source
 * `'nonce'` is replaced by the nonce of the request.
 */
export type ContentSecurityPolicy =
  | string
  | Readonly<Record<string, string | readonly string[] | true>>;

/** Source that is replaced by `'nonce-…'`. */
const placeholder = "'nonce'";

/** A validated policy in header syntax, except for its nonce. */
export interface CompiledPolicy {
  readonly needsNonce: boolean;
  text(nonce: string): string;
}

/**
 * Serialises a policy (Content Security Policy Level 3, section 2.3) once for all responses.
 *
 * @throws EspalierError `ERR_MIDDLEWARE_BAD_OPTION` for a part that would end its directive or the header
 */
export function compilePolicy(
  owner: OptionOwner,
  option: string,
  policy: ContentSecurityPolicy,
): CompiledPolicy {
  const directives = typeof policy === "string" ? [policy] : directivesOf(policy);
  const text = directives.join("; ");
  const isHeader = /^[\x20-\x7e]+$/.test(text);
  const mayHaveSeparators = typeof policy === "string";
  if (!isHeader || (!mayHaveSeparators && directives.some((one) => /[;,]/.test(one)))) {
    throw badOption(owner, option, policy, "printable ASCII, without ; and , in a directive");
  }
  const parts = text.split(placeholder);
  return {
    needsNonce: parts.length > 1,
    text: (nonce) => parts.join(`'nonce-${nonce}'`),
  };
}

function directivesOf(policy: Exclude<ContentSecurityPolicy, string>): string[] {
  return Object.entries(policy).map(([name, value]) => {
    const directive = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === true) return directive;
    return `${directive} ${typeof value === "string" ? value : value.join(" ")}`.trimEnd();
  });
}

/** Generates an unguessable nonce: 128 random bits in base64. */
export function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}
