import { expect, test } from "vitest";
import { collectMessages, formatMessages } from "../../scripts/source/messages.ts";
import { findWording } from "../../scripts/source/wording.ts";

const messages = collectMessages();
const shown = messages.map(({ label, file, text }) => `${file} ${label}: ${text}`);

test("messages.txt lists every text that users read; -u writes it", async () => {
  await expect(formatMessages(messages)).toMatchFileSnapshot("messages.txt");
});

test.each([
  ["Errors", 150],
  ["Responses", 20],
  ["Logs", 10],
  ["OpenAPI", 20],
  ["Command line", 60],
  ["Starter", 40],
] as const)("there are texts of the kind %s", (kind, least) => {
  expect(messages.filter((message) => message.kind === kind).length).toBeGreaterThan(least);
});

test("no text has a wording that sources avoid", () => {
  expect(shown.filter((text) => findWording(text).length > 0)).toEqual([]);
});

// Two phrasings of one fact: the first must not be used.
test.each([
  [/\bway out\b/i, "the fix itself"],
  [/\breads so too\b/, "Is the environment variable set?"],
  [/\bcannot be had\b/, "could not be fetched"],
  [/\bis not an? (?:function|string|number|boolean|list)\b/, "must be …, got …"],
  [/\bmust not be an? (?:function|string|number|boolean)\b/, "must be …, got …"],
  [/\bis (?:a|the) number of milliseconds; got\b/, "must be …, got …"],
  [/\bunknown option [^"$`]\w/, 'unknown option "…"'],
])("no text matches %s", (pattern, _instead) => {
  expect(shown.filter((text) => pattern.test(text))).toEqual([]);
});
