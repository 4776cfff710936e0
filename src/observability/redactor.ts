/** What stands where a secret was. */
const redacted = "[redacted]";

/** Names whose values are secrets, as patterns of what a name contains, whatever else it has. */
const secretNames: readonly string[] = [
  "pass",
  "pwd",
  "secret",
  "token",
  "authorization",
  "cookie",
  "credential",
  "(?:api|private|access)[-_. ]?key",
  "session[-_. ]?id",
];

/** Headers with a URL that may hold anything in its query. */
const urlHeaders: readonly string[] = ["referer", "location", "content-location"];

/**
 * Enough to see what was sent. What a client makes longer is cut, so that it cannot fill a disk.
 */
const limits = { textLength: 1_000, nameLength: 100, items: 50, depth: 8, characters: 8_000 };

/**
 * What every secret in a text has beside or in it. Most texts have none, and need no closer look.
 */
const mayHoldSecret = /[=:@\s]|eyJ/;

/** How much of a text is looked at; what is beyond is never shown. */
const examinedLength = 4_000;

/**
 * Copies what clients sent into log records: without secrets, and never more than a few kilobytes.
 *
 * A secret is told by the name it goes by, at any depth, and inside of texts where it stands behind
 * such a name (`token=…`, `"password": "…"`) or looks like a bearer token.
 */
export class Redactor {
  readonly #secretName: RegExp;
  readonly #secretInText: RegExp;

  /** @param furtherNames texts that make a name secret in which they occur, in any case */
  constructor(furtherNames: readonly string[] = []) {
    const names = [...secretNames, ...furtherNames.map(escapeRegExp)].join("|");
    this.#secretName = new RegExp(names, "i");
    // Every repetition is bounded, or stops where the next match would begin: linear on hostile
    // text.
    this.#secretInText = new RegExp(
      `((?:${names})[\\w.%[\\]-]{0,40}["'\\\\]{0,3}\\s{0,4}[:=]\\s{0,4})` +
        "(?:\\\\{0,2}\"[^\"]*|\\\\{0,2}'[^']*|" +
        "(?:(?:bearer|basic|digest)\\s{1,4})?[^\\s\"'&,;\\\\}<>]+)",
      "gi",
    );
  }

  /** Whether what goes by this name is not to be shown. */
  isSecretName(name: string): boolean {
    return this.#secretName.test(name);
  }

  /** A text without the secrets in it, at most a thousand characters. */
  text(text: string): string {
    if (!mayHoldSecret.test(text)) return shorten(text, limits.textLength);
    return shorten(
      text
        .slice(0, examinedLength)
        .replace(this.#secretInText, `$1${redacted}`)
        .replace(/\bbearer\s{1,4}[\w.~+/=-]+/gi, `Bearer ${redacted}`)
        .replace(/\/\/[^\s/?#@]{1,200}@/g, `//${redacted}@`)
        .replace(/\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g, redacted),
      limits.textLength,
    );
  }

  /** A header's value as a log may have it. */
  header(name: string, value: string): string {
    if (this.isSecretName(name)) return redacted;
    if (!urlHeaders.includes(name.toLowerCase())) return this.text(value);
    const [path = "", ...query] = value.split(/[?#]/);
    return this.text(query.length === 0 ? path : `${path}?…`);
  }

  /** A parsed body or query as a log may have it: plain JSON data, whatever it is. */
  value(value: unknown): unknown {
    try {
      return this.#copy(value, { depth: 0, budget: { characters: limits.characters } });
    } catch {
      // A body that middleware has replaced may throw when it is looked at.
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
    return Array.isArray(value) ? this.#copyList(value, inside) : this.#copyFields(value, inside);
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

  #copyFields(record: object, place: Place): Record<string, unknown> {
    // A client chooses the names: `__proto__` is one of them.
    const copies: Record<string, unknown> = Object.create(null);
    const entries = Object.entries(record);
    const holdsSecret = entries.some(
      ([name, value]) =>
        /^(?:name|key|field)$/i.test(name) && typeof value === "string" && this.isSecretName(value),
    );
    let copied = 0;
    for (const [name, value] of entries.slice(0, limits.items)) {
      if (place.budget.characters <= 0) break;
      const isSecret = this.isSecretName(name) || (holdsSecret && /^(?:value|data)$/i.test(name));
      const shownName = this.#spend(shorten(this.text(name), limits.nameLength), place);
      copies[shownName] = isSecret ? redacted : this.#copy(value, place);
      copied += 1;
    }
    if (entries.length > copied) copies["…"] = `[${entries.length - copied} more]`;
    return copies;
  }

  #spend(text: string, place: Place): string {
    place.budget.characters -= text.length + 8;
    return text;
  }
}

/** Where in a value the copy is, and how many characters it may still have in all. */
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

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
