/** Values available to a template. */
export interface TemplateContext {
  /** Flags for conditions such as `// @if auth`. */
  readonly flags: ReadonlySet<string>;
  /** Values of placeholders such as `{{name}}`. */
  readonly values: ReadonlyMap<string, string>;
}

/** A line that consists of an instruction, in a comment of TypeScript, TOML or Markdown. */
const instruction = /^\s*(?:\/\/|#|<!--) @(if|else|end)(?: ([\w-]+))?(?: -->)?$/;

/**
 * Renders a template. Lines between `// @if flag` and `// @end` are included if the flag is set, those
 * after `// @else` if it is not; conditions can be nested. Instructions are removed, and with `// @end`
 * a preceding blank line, which formatters insert.
 *
 * @throws Error for an unknown placeholder or an unbalanced condition
 */
export function renderTemplate(template: string, { flags, values }: TemplateContext): string {
  const lines: string[] = [];
  /** Results of the open conditions, outermost first. */
  const open: boolean[] = [];
  for (const line of template.split("\n")) {
    const [, word, flag = ""] = instruction.exec(line) ?? [];
    if (word === "if") open.push(flags.has(flag));
    else if (word === "else") open.push(!closeCondition(open));
    else if (word === "end") {
      if (closeCondition(open) && lines.at(-1) === "") lines.pop();
    } else if (!open.includes(false)) lines.push(line);
  }
  if (open.length > 0) throw new Error("The template has an @if without an @end.");
  return lines.join("\n").replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`The template has an unknown placeholder "${name}".`);
    return value;
  });
}

function closeCondition(open: boolean[]): boolean {
  const innermost = open.pop();
  if (innermost === undefined) throw new Error("The template has an @else or @end without an @if.");
  return innermost;
}
