import colors from "picocolors";

/** Renders an aligned table under a dim heading. The last column is not padded. */
export function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const render = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [colors.dim(render(heading)), ...rows.map(render)].join("\n");
}
