/** A box of the main column, from top to bottom. */
export interface Step {
  readonly kind: "start" | "step" | "ask" | "end";
  readonly text: string;
  /** Smaller text below. */
  readonly note: string | undefined;
  /** Boxes to the right, which an arrow with a label leads to. */
  readonly exits: readonly { readonly label: string; readonly text: string }[];
  /** Arrow back to an earlier step, by its text. */
  readonly back: { readonly label: string; readonly to: string } | undefined;
}

/** A flow that is drawn from top to bottom. */
export interface Diagram {
  readonly title: string;
  /** Text for readers who do not see the picture. */
  readonly description: string;
  readonly steps: readonly Step[];
}

const kinds: readonly string[] = ["start", "step", "ask", "end"];

/**
 * Parses the text of a diagram:
 *
 * ```text
 * title: Queue drivers
 * description: …
 * ask: Was useQueue() called? | before the first job
 *   exit yes: that adapter
 * end: memory
 *   back later: an earlier step
 * ```
 */
export function parseDiagram(text: string): Diagram {
  const head = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [, key = "", label = "", value = ""] = /^\s*(\w+)(?: ([^:]+))?: (.+)$/.exec(line) ?? [];
    const last = steps.at(-1);
    if (key === "title" || key === "description") head.set(key, value);
    else if (kinds.includes(key)) {
      const [main = "", note] = value.split(" | ");
      steps.push({ kind: key as Step["kind"], text: main, note, exits: [], back: undefined });
    } else if (key === "exit" && last !== undefined) {
      steps[steps.length - 1] = { ...last, exits: [...last.exits, { label, text: value }] };
    } else if (key === "back" && last !== undefined) {
      steps[steps.length - 1] = { ...last, back: { label, to: value } };
    } else throw new Error(`The line "${line}" of a diagram cannot be parsed.`);
  }
  const [title, description] = [head.get("title"), head.get("description")];
  if (title === undefined || description === undefined) {
    throw new Error("A diagram must have a title and a description.");
  }
  return { title, description, steps };
}
