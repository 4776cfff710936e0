/** What a template may ask and name. */
export interface TemplateContext {
  /** What holds for the project: `// @if auth` asks for `auth`. */
  readonly flags: ReadonlySet<string>;
  /** What `{{name}}` stands for. */
  readonly values: ReadonlyMap<string, string>;
}

/** A line with nothing but an instruction, in the comments of TypeScript, TOML and Markdown. */
const instruction = /^\s*(?:\/\/|#|<!--) @(if|else|end)(?: ([\w-]+))?(?: -->)?$/;

/**
 * The text of a template for one project. Lines between `// @if flag` and `// @end` stay when the flag
 * holds, those behind `// @else` when it does not; conditions nest. The instructions go, and with
 * `// @end` a blank line in front of it, where formatters put one.
 *
 * @throws Error for a template with an unknown value, or conditions that do not close
 */
export function renderTemplate(template: string, { flags, values }: TemplateContext): string {
  const lines: string[] = [];
  /** Whether the lines of each open condition stay, outermost first. */
  const open: boolean[] = [];
  for (const line of template.split("\n")) {
    const [, word, flag = ""] = instruction.exec(line) ?? [];
    if (word === "if") open.push(flags.has(flag));
    else if (word === "else") open.push(!closeCondition(open));
    else if (word === "end") {
      if (closeCondition(open) && lines.at(-1) === "") lines.pop();
    } else if (!open.includes(false)) lines.push(line);
  }
  if (open.length > 0) throw new Error("The template does not end a condition.");
  return lines.join("\n").replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`The template names ${name}, which nothing gives.`);
    return value;
  });
}

function closeCondition(open: boolean[]): boolean {
  const innermost = open.pop();
  if (innermost === undefined) throw new Error("The template ends a condition it never began.");
  return innermost;
}
