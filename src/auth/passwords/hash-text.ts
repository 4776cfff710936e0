import { decodeBase64 } from "../../util/base64url.ts";
import { isAllowedCost, kindOfCost, type PasswordCost } from "./cost.ts";

/** A password hash and its parameters. */
export interface PasswordHash {
  readonly cost: PasswordCost;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly derived: Uint8Array<ArrayBuffer>;
}

const number = "([1-9]\\d{0,9})";
const bytes = "([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})";
const pbkdf2Pattern: RegExp = /* @__PURE__ */ new RegExp(
  `^\\$pbkdf2-sha(256|512)\\$i=${number}\\$${bytes}$`,
);
const scryptPattern: RegExp = /* @__PURE__ */ new RegExp(
  `^\\$scrypt\\$(ln|n)=${number},r=${number},p=${number}\\$${bytes}$`,
);
const argon2Pattern: RegExp = /* @__PURE__ */ new RegExp(
  `^\\$argon2id\\$v=19\\$m=${number},t=${number},p=${number}\\$${bytes}$`,
);

/**
 * Formats a hash as a PHC string, base64 without padding: `$pbkdf2-sha512$i=100000$<salt>$<hash>`,
 * `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`.
 */
export function formatPasswordHash({ cost, salt, derived }: PasswordHash): string {
  return `$${kindOfCost(cost)}$${formatParameters(cost)}$${encode(salt)}$${encode(derived)}`;
}

/** Parses a hash, of scrypt also with `n=16384` for `ln=14`; undefined for another format, or for parameters outside the allowed range. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const match = parsePbkdf2(text) ?? parseScrypt(text) ?? parseArgon2(text);
  if (match === undefined || !isAllowedCost(match.cost)) return undefined;
  const salt = decodeBase64(match.salt);
  const derived = decodeBase64(match.derived);
  if (salt === undefined || derived === undefined) return undefined;
  return { cost: match.cost, salt, derived };
}

/** A hash whose salt and result are still base64. */
interface HashMatch {
  readonly cost: PasswordCost;
  readonly salt: string;
  readonly derived: string;
}

function parsePbkdf2(text: string): HashMatch | undefined {
  const match = pbkdf2Pattern.exec(text);
  if (match === null) return undefined;
  const [, bits, iterations, salt = "", derived = ""] = match;
  const digest = bits === "256" ? "SHA-256" : "SHA-512";
  return { cost: { algorithm: "pbkdf2", digest, iterations: Number(iterations) }, salt, derived };
}

function parseScrypt(text: string): HashMatch | undefined {
  const match = scryptPattern.exec(text);
  if (match === null) return undefined;
  // Most implementations store the logarithm of N as ln, some N itself as n.
  const [, name, size, blockSize, parallelization, salt = "", derived = ""] = match;
  const cost: PasswordCost = {
    algorithm: "scrypt",
    cost: name === "n" ? Number(size) : 2 ** Number(size),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
  };
  return { cost, salt, derived };
}

function parseArgon2(text: string): HashMatch | undefined {
  const match = argon2Pattern.exec(text);
  if (match === null) return undefined;
  const [, memoryKib, passes, parallelism, salt = "", derived = ""] = match;
  const cost: PasswordCost = {
    algorithm: "argon2id",
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  return { cost, salt, derived };
}

function formatParameters(cost: PasswordCost): string {
  switch (cost.algorithm) {
    case "pbkdf2":
      return `i=${cost.iterations}`;
    case "scrypt":
      return `ln=${Math.log2(cost.cost)},r=${cost.blockSize},p=${cost.parallelization}`;
    case "argon2id":
      return `v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}`;
  }
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("=", "");
}
