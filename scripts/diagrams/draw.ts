import type { Diagram, Step } from "./parse.ts";

/** Narrow enough for a telephone without scaling. */
const width = 450;
const main = { x: 42, width: 236 } as const;
const side = { x: 332, width: 116 } as const;
const lineHeight = 17;
const gap = 26;

/** Same colours as the charts; a picture follows the colour scheme of the page around it. */
const style = `
text { font: 13px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1f2328; }
.note, .label { font-size: 12px; fill: #59636e; }
rect, .ask { fill: #f6f8fa; stroke: #afb8c1; }
.start, .end { fill: #dafbe1; stroke: #1a7f37; }
path { fill: none; stroke: #59636e; stroke-width: 1.25; }
.head { fill: #59636e; stroke: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .note, .label { fill: #9198a1; }
  rect, .ask { fill: #22272e; stroke: #57606a; }
  .start, .end { fill: #12361f; stroke: #3fb950; }
  path { stroke: #9198a1; }
  .head { fill: #9198a1; }
}`;

interface Placed {
  readonly step: Step;
  readonly y: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

/** Draws a diagram as SVG. */
export function drawDiagram({ title, description, steps }: Diagram): string {
  const placed = place(steps);
  const last = placed.at(-1);
  const height = (last === undefined ? 0 : last.y + rowHeight(last)) + 8;
  const parts = placed.flatMap((one, index) => [
    ...box(one),
    ...exits(one),
    ...back(one, placed),
    ...(index + 1 < placed.length ? down(one, placed[index + 1]) : []),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escapeText(title)}</title><desc id="description">${escapeText(description)}</desc><style>${style}</style>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function place(steps: readonly Step[]): Placed[] {
  let y = 8;
  return steps.map((step) => {
    const lines = wrap(step.text, main.width - 24, 6.9);
    const notes = step.note === undefined ? [] : wrap(step.note, main.width - 24, 6.3);
    const height = (lines.length + notes.length) * lineHeight + 16;
    const placed = { step, y, height, lines, notes };
    y += rowHeight(placed) + gap;
    return placed;
  });
}

/** Height of a step with its exits, which may be more than its box. */
function rowHeight({ step, height }: Placed): number {
  const exitsHeight = step.exits.reduce((sum, { text }) => sum + exitHeight(text) + 8, -8);
  return Math.max(height, exitsHeight);
}

const exitLines = (text: string): string[] => wrap(text, side.width - 12, 6.4);
const exitHeight = (text: string): number => exitLines(text).length * lineHeight + 10;

function box({ step, y, height, lines, notes }: Placed): string[] {
  const { x, width: boxWidth } = main;
  const centre = x + boxWidth / 2;
  const first = y + 8 + lineHeight - 4;
  const rounding = step.kind === "start" || step.kind === "end" ? height / 2 : 6;
  return [
    `<rect class="${step.kind}" x="${x}" y="${y}" width="${boxWidth}" height="${height}" rx="${Math.min(rounding, 18)}"/>`,
    ...lines.map((line, index) => label(centre, first + index * lineHeight, line, "")),
    ...notes.map((line, index) =>
      label(centre, first + (lines.length + index) * lineHeight, line, "note"),
    ),
  ];
}

function exits({ step, y, height }: Placed): string[] {
  let top = y;
  return step.exits.flatMap(({ label: said, text }) => {
    const exit = exitHeight(text);
    const middle = top + exit / 2;
    const from = Math.min(middle, y + height - 8);
    const parts = [
      `<path d="M${main.x + main.width} ${from}H${side.x - 26}V${middle}H${side.x - 7}"/>`,
      head(side.x, middle, "right"),
      ...(said === "" ? [] : [label(side.x - 28, from - 5, said, "label")]),
      `<rect x="${side.x}" y="${top}" width="${side.width}" height="${exit}" rx="6"/>`,
      ...exitLines(text).map((line, index) =>
        label(side.x + side.width / 2, top + lineHeight + 1 + index * lineHeight, line, "note"),
      ),
    ];
    top += exit + 8;
    return parts;
  });
}

function back({ step, y, height }: Placed, placed: readonly Placed[]): string[] {
  if (step.back === undefined) return [];
  const { to, label: said } = step.back;
  const target = placed.find((one) => one.step.text === to);
  if (target === undefined) throw new Error(`A diagram has no step "${to}".`);
  const [from, end] = [y + height / 2, target.y + target.height / 2];
  const middle = (from + end) / 2;
  return [
    `<path d="M${main.x} ${from}H24V${end}H${main.x - 7}"/>`,
    head(main.x, end, "right"),
    `<text class="label" text-anchor="middle" transform="translate(17 ${middle}) rotate(-90)">${escapeText(said)}</text>`,
  ];
}

function down(from: Placed, to: Placed | undefined): string[] {
  if (to === undefined || from.step.kind === "end") return [];
  const x = main.x + main.width / 2;
  const parts = [`<path d="M${x} ${from.y + from.height}V${to.y - 7}"/>`, head(x, to.y, "down")];
  if (from.step.kind !== "ask") return parts;
  return [...parts, `<text class="label" x="${x + 8}" y="${from.y + from.height + 16}">no</text>`];
}

/** The head of an arrow with its tip at a point. */
function head(x: number, y: number, direction: "down" | "right"): string {
  const back =
    direction === "down"
      ? `${x - 4} ${y - 8}L${x + 4} ${y - 8}`
      : `${x - 8} ${y - 4}L${x - 8} ${y + 4}`;
  return `<path class="head" d="M${x} ${y}L${back}Z"/>`;
}

function label(x: number, y: number, text: string, name: string): string {
  const attribute = name === "" ? "" : ` class="${name}"`;
  return `<text${attribute} x="${x}" y="${y}" text-anchor="middle">${escapeText(text)}</text>`;
}

/** Breaks text into lines of at most `available` units, with characters of a mean width. */
function wrap(text: string, available: number, characterWidth: number): string[] {
  const limit = Math.floor(available / characterWidth);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const current = lines.at(-1);
    if (current !== undefined && current.length + 1 + word.length <= limit) {
      lines[lines.length - 1] = `${current} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
