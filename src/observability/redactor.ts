import { createSecretNameTest } from "./secret-names.ts";

/** Replacement of a secret. */
const redacted = "[redacted]";

/** Headers with a URL, whose query may contain anything. */
const urlHeaders: readonly string[] = ["referer", "location", "content-location"];

/** Limits of logged values, which are truncated so that clients cannot fill the disk. */
const limits = { textLength: 1_000, nameLength: 100, items: 50, depth: 8, characters: 8_000 };

/** Characters that a secret in a string has next to it or in it. Most strings have none. */
const mayHoldSecret = /[=:@\s]|eyJ/;

/** Number of characters of a string that are examined; the rest is never shown. */
const examinedLength = 4_000;

/** Separator between a name and its value. Bounded repetitions keep it linear on hostile input (ReDoS). */
const separatorInText = /["'\\]{0,3}\s{0,4}[:=]\s{0,4}/g;

const nameCharacter = /[\w.%[\]-]/;
/** Number of characters of a name that are examined, from its end. */
const nameLength = 60;

/** A value at the beginning of a string: quoted, or up to the next separator. */
const valueAtStart =
  /^(?:\\{0,2}"[^"]*|\\{0,2}'[^']*|(?:(?:bearer|basic|digest)\s{1,4})?[^\s"'&,;\\}<>]+)/i;

/**
 * Copies what clients sent into log records, without secrets and never more than a few kilobytes.
 *
 * A secret is recognised by its name, at any depth and in strings where it follows such a name (`token=…`,
 * `"password": "…"`), and by its form: bearer tokens, JSON Web Tokens, the user part of URLs.
 */
export class Redactor {
  readonly #isSecretName: (name: string) => boolean;

  /**
   * @param furtherNames strings that make a name secret wherever they occur in it, in any case
   * @param exceptNames names that are not secret although the default list contains them
   */
  constructor(furtherNames: readonly string[] = [], exceptNames: readonly string[] = []) {
    this.#isSecretName = createSecretNameTest(furtherNames, exceptNames);
  }

  /** Returns true if the value of this name must not be shown. */
  isSecretName(name: string): boolean {
    return this.#isSecretName(name);
  }

  /** Returns a string without the secrets in it, at most a thousand characters long. */
  text(text: string): string {
    if (!mayHoldSecret.test(text)) return shorten(text, limits.textLength);
    return shorten(
      this.#withoutNamedSecrets(text.slice(0, examinedLength))
        .replace(/\bbearer\s{1,4}[\w.~+/=-]+/gi, `Bearer ${redacted}`)
        .replace(/\/\/[^\s/?#@]{1,200}@/g, `//${redacted}@`)
        .replace(/\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g, redacted),
      limits.textLength,
    );
  }

  #withoutNamedSecrets(text: string): string {
    let result = "";
    let shownUpTo = 0;
    for (const { index, 0: separator } of text.matchAll(separatorInText)) {
      // Within a value that has been replaced.
      if (index < shownUpTo) continue;
      const name = nameBefore(text, index);
      if (name === "" || !this.isSecretName(name)) continue;
      const valueStart = index + separator.length;
      const value = valueAtStart.exec(text.slice(valueStart))?.[0];
      if (value === undefined) continue;
      result += text.slice(shownUpTo, valueStart) + redacted;
      shownUpTo = valueStart + value.length;
    }
    return result + text.slice(shownUpTo);
  }

  /** Returns a header's value as a log may show it. */
  header(name: string, value: string): string {
    if (this.isSecretName(name)) return redacted;
    if (!urlHeaders.includes(name.toLowerCase())) return this.text(value);
    const [path = "", ...query] = value.split(/[?#]/);
    return this.text(query.length === 0 ? path : `${path}?…`);
  }

  /** Returns a parsed body or query as a log may show it: JSON data, whatever it is. */
  value(value: unknown): unknown {
    try {
      return this.#copy(value, { depth: 0, budget: { characters: limits.characters } });
    } catch {
      // A body that middleware has replaced may throw when it is read.
      return "[unreadable]";
    }
  }

  #copy(value: unknown, place: Place): unknown {
    if (typeof value === "string") return this.#spend(this.text(value), place);
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return plain(value);
    if (value instanceof Blob) return `[file of ${value.size} bytes]`;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      return `[${value.byteLength} bytes]`;
    }
    if (value instanceof Date) return String(value);
    if (place.depth >= limits.depth) return "[…]";
    const inside = { depth: place.depth + 1, budget: place.budget };
    return Array.isArray(value)
      ? this.#copyList(value, inside)
      : this.#copyFields(value as Readonly<Record<string, unknown>>, inside);
  }

  #copyList(list: readonly unknown[], place: Place): unknown[] {
    const isPair = list.length === 2 && typeof list[0] === "string" && this.isSecretName(list[0]);
    if (isPair) return [this.text(String(list[0])), redacted];
    const copies: unknown[] = [];
    for (const item of list.slice(0, limits.items)) {
      if (place.budget.characters <= 0) break;
      copies.push(this.#copy(item, place));
    }
    if (list.length > copies.length) copies.push(`[${list.length - copies.length} more]`);
    return copies;
  }

  #copyFields(record: Readonly<Record<string, unknown>>, place: Place): Record<string, unknown> {
    // The client chooses the names, for example `__proto__`.
    const copies: Record<string, unknown> = Object.create(null);
    // Only the values of the first names are read: those of all take four times as long.
    const names = Object.keys(record);
    const holdsSecret = names.some((name) => {
      if (!/^(?:name|key|field)$/i.test(name)) return false;
      const value = record[name];
      return typeof value === "string" && this.isSecretName(value);
    });
    // In a pair `{ key, value }` the key is a name.
    const isPair = Object.hasOwn(record, "value") || Object.hasOwn(record, "data");
    let copied = 0;
    for (const name of names.slice(0, limits.items)) {
      if (place.budget.characters <= 0) break;
      const isSecret =
        (this.isSecretName(name) && !(isPair && name === "key")) ||
        (holdsSecret && /^(?:value|data)$/i.test(name));
      const shownName = this.#spend(shorten(this.text(name), limits.nameLength), place);
      copies[shownName] = isSecret ? redacted : this.#copy(record[name], place);
      copied += 1;
    }
    if (names.length > copied) copies["…"] = `[${names.length - copied} more]`;
    return copies;
  }

  #spend(text: string, place: Place): string {
    place.budget.characters -= text.length + 8;
    return text;
  }
}

/**
 * Returns the name that ends before `end`, or an empty string. A loop, because a regular expression for the end of a
 * string is tried at every character, which costs the square of the length for each separator.
 */
function nameBefore(text: string, end: number): string {
  const least = Math.max(0, end - nameLength);
  let start = end;
  while (start > least && nameCharacter.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

/** Position of the copy in a value, and the number of characters that it may still have. */
interface Place {
  readonly depth: number;
  readonly budget: { characters: number };
}

function plain(value: unknown): unknown {
  return typeof value === "function" || typeof value === "symbol" ? `[${typeof value}]` : value;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
