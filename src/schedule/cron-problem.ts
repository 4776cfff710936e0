/** Fields of an expression with their ranges; an optional sixth field in front is the seconds. */
const fields: readonly (readonly [name: string, least: number, most: number])[] = [
  ["second", 0, 59],
  ["minute", 0, 59],
  ["hour", 0, 23],
  ["day", 1, 31],
  ["month", 1, 12],
  ["weekday", 0, 7],
  ["year", 1, 9999],
];

const names: Readonly<Record<string, string>> = {
  month: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC",
  weekday: "SUN MON TUE WED THU FRI SAT",
};

/**
 * Describes an error that every cron parser would reject; undefined if the expression has none. It checks
 * numbers and names: special characters such as `L` are left to the cron engine.
 */
export function findCronProblem(cron: string): string | undefined {
  const parts = cron.trim().split(/\s+/);
  if (parts.length < 5 || parts.length > 7) return 'it needs five fields, as in "*/5 * * * *"';
  const first = parts.length === 5 ? 1 : 0;
  for (const [index, part] of parts.entries()) {
    const [name, least, most] = fields[index + first] ?? ["field", 0, 9999];
    for (const item of part.split(",")) {
      const [range = "", step = "1"] = item.split("/");
      if (range === "") return `its ${name} "${part}" has an empty value around a comma or slash`;
      // `#` is followed by the weekday's number within the month, `L-` by a number of days.
      const plain = range.replace(/#.*$|^L-?\d*/i, "");
      const known = names[name]?.split(" ") ?? [];
      // `FRIL` is the last Friday of the month.
      const isName = (word: string): boolean =>
        known.some((one) => [one, `${one}L`].includes(word.toUpperCase()));
      const word = plain.match(/[a-z]{2,}/gi)?.find((one) => !isName(one));
      if (word !== undefined) {
        const hint = known.length === 0 ? "" : `; use ${known.join(", ")}`;
        return `its ${name} has the unknown name "${word}"${hint}`;
      }
      const numbers = plain.match(/\d+/g) ?? [];
      const wrong = numbers.find((digits) => Number(digits) < least || Number(digits) > most);
      if (wrong !== undefined)
        return `its ${name} must be between ${least} and ${most}, got ${wrong}`;
      if (!/^\d+$/.test(step) || Number(step) === 0)
        return `the step of its ${name} must be a whole number above 0, got "${step}"`;
    }
  }
  return undefined;
}
