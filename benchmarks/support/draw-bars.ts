/** A bar of a panel. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** True for Espalier, drawn in the accent colour. */
  readonly own: boolean;
}

/** Bars with a title, the best value on top. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const width = 760;
/** Width of a label: the minimum, and per character. */
const labelWidth = 190;
const characterWidth = 8;
const valueWidth = 130;
const barHeight = 16;
const rowHeight = 22;
const panelHead = 34;

/** Default ratio to the shortest bar at which a bar is truncated. */
const usualCut = 8;

/** Colours for light and dark colour schemes. */
const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; font-size: 15px; }
.mine { font-weight: 600; }
.note { font-size: 12px; fill: #59636e; }
.bar { fill: #afb8c1; }
.own { fill: #1a7f37; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note { fill: #9198a1; }
  .bar { fill: #57606a; }
  .own { fill: #3fb950; }
}`;

/** Scale of the values. */
export interface Scale {
  readonly unit: string;
  /** True if higher values are better, and so on top; default: false. */
  readonly isMoreBetter?: boolean;
  /** Ratio to the shortest bar at which a bar is truncated, and marked as such. */
  readonly cutAt?: number;
}

/** Draws panels of bars as an SVG file without scripts or fonts. */
export function drawBars(
  heading: string,
  note: string,
  panels: readonly Panel[],
  { unit, isMoreBetter = false, cutAt = isMoreBetter ? Infinity : usualCut }: Scale = {
    unit: "ns",
  },
): string {
  const parts: string[] = [];
  const longestLabel = Math.max(
    ...panels.flatMap(({ bars }) => bars.map(({ label }) => label.length)),
  );
  const left = Math.max(labelWidth, Math.ceil(longestLabel * characterWidth));
  let y = 24;
  parts.push(text(0, y, "title", heading), text(0, y + 20, "note", note));
  y += 34;
  for (const panel of panels) {
    parts.push(text(0, y + 20, "title", panel.title));
    y += panelHead;
    const bars = panel.bars.toSorted((a, b) => (a.value - b.value) * (isMoreBetter ? -1 : 1));
    const values = bars.map(({ value }) => value);
    // A value of zero, or below by measurement error, would make every ratio infinite.
    const shortest = Math.min(...values.filter((value) => value > 0));
    const longest = Math.min(shortest * cutAt, Math.max(...values));
    for (const bar of bars) {
      parts.push(drawBar(bar, left, y, longest, unit));
      y += rowHeight;
    }
  }
  const size = `width="${width}" height="${y + 8}" viewBox="0 0 ${width} ${y + 8}"`;
  const title = `<title>${escapeText(heading)}</title>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
${title}<style>${style}</style>
${parts.join("\n")}
</svg>
`;
}

function drawBar(
  { label, value, own }: Bar,
  left: number,
  y: number,
  longest: number,
  unit: string,
): string {
  const room = width - left - valueWidth;
  const length = Math.round((Math.max(0, Math.min(value, longest)) / longest) * room);
  const kind = own ? "own" : "bar";
  const cut = value > longest ? " →" : "";
  const baseline = y + barHeight - 4;
  return [
    text(0, baseline, own ? "mine" : "", label),
    `<rect class="${kind}" x="${left}" y="${y}" width="${length}" height="${barHeight}" rx="2"/>`,
    text(left + length + 6, baseline, "", `${show(value)} ${unit}${cut}`),
  ].join("");
}

function show(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

function text(x: number, y: number, kind: string, content: string): string {
  const attribute = kind === "" ? "" : ` class="${kind}"`;
  return `<text${attribute} x="${x}" y="${y}">${escapeText(content)}</text>`;
}

function escapeText(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
