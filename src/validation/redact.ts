/*
 * Valibot and ArkType write what they were given into their messages ("but received …"). A
 * validation error is shown and logged, and the value may be a password.
 */

/** A longer message is no text for people but a value that was printed. */
const LONGEST_MESSAGE = 1000;
/** How many values inside of an object are looked for. */
const MOST_LEAVES = 1000;
/** A shorter text is cut out only in quotes: unquoted it may be a word of the message itself. */
const SHORTEST_UNQUOTED = 8;

/**
 * `message` with `…` in place of `value`, or of the texts and numbers inside of it.
 *
 * @returns undefined when there is no telling the message from the value
 */
export function withoutValue(message: string, value: unknown): string | undefined {
  let redacted = typeof value === "string" ? withoutText(message, value) : message;
  // Before values are looked for one by one: a client decides how long both are.
  if (redacted.length > LONGEST_MESSAGE) return undefined;
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
  return text.length < SHORTEST_UNQUOTED ? quoted : quoted.replaceAll(text, "…");
}

function withoutNumber(message: string, number: number): string {
  const digits = String(number);
  if (!message.includes(digits)) return message;
  // Only as a number of its own: 5 is not a part of 15 or of 5.5.
  const escaped = digits.replace(/[.+]/g, "\\$&");
  return message.replaceAll(new RegExp(`(?<![\\w.])${escaped}(?![\\w]|\\.\\d)`, "g"), "…");
}

/** The texts and numbers in `value`, without recursion: a client decides how deep it is. */
function leavesOf(value: unknown): readonly (string | number)[] {
  const leaves: (string | number)[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0 && leaves.length < MOST_LEAVES) {
    const next = rest.pop();
    if (typeof next === "string" || typeof next === "number") leaves.push(next);
    else if (typeof next === "object" && next !== null) {
      for (const inner of Object.values(next).slice(0, MOST_LEAVES)) rest.push(inner);
    }
  }
  return leaves;
}
