/*
 * Valibot and ArkType include the received value in their messages ("but received …"). A
 * validation error is shown and logged, and the value may be a password.
 */

/** A longer message is assumed to contain a printed value. */
const maxMessageLength = 1000;
/** Maximum number of an object's values that are searched for. */
const maxLeaves = 1000;
/** A shorter string is redacted only in quotes: unquoted, it may be a word of the message itself. */
const minUnquotedLength = 8;

/**
 * Replaces `value`, or the strings and numbers inside it, with `…` in `message`.
 *
 * @returns undefined when the value cannot be separated from the message
 */
export function withoutValue(message: string, value: unknown): string | undefined {
  let redacted = typeof value === "string" ? withoutText(message, value) : message;
  // Checked before searching value by value: the client controls the size of both.
  if (redacted.length > maxMessageLength) return undefined;
  for (const leaf of leavesOf(value)) {
    redacted =
      typeof leaf === "string" ? withoutText(redacted, leaf) : withoutNumber(redacted, leaf);
  }
  return redacted;
}

function withoutText(message: string, text: string): string {
  if (text === "") return message;
  const escaped = JSON.stringify(text);
  if (!message.includes(text) && !message.includes(escaped)) return message;
  const quoted = message
    .replaceAll(escaped, '"…"')
    .replaceAll(`"${text}"`, '"…"')
    .replaceAll(`'${text}'`, "'…'")
    .replaceAll(`\`${text}\``, "`…`");
  return text.length < minUnquotedLength ? quoted : quoted.replaceAll(text, "…");
}

function withoutNumber(message: string, number: number): string {
  const digits = String(number);
  if (!message.includes(digits)) return message;
  // Only as a complete number: 5 must not match inside 15 or 5.5.
  const escaped = digits.replace(/[.+]/g, "\\$&");
  return message.replaceAll(new RegExp(`(?<![\\w.])${escaped}(?![\\w]|\\.\\d)`, "g"), "…");
}

/** Collects the strings and numbers in `value`, without recursion: the client controls its depth. */
function leavesOf(value: unknown): readonly (string | number)[] {
  const leaves: (string | number)[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0 && leaves.length < maxLeaves) {
    const next = rest.pop();
    if (typeof next === "string" || typeof next === "number") leaves.push(next);
    else if (typeof next === "object" && next !== null) {
      for (const inner of Object.values(next).slice(0, maxLeaves)) rest.push(inner);
    }
  }
  return leaves;
}
