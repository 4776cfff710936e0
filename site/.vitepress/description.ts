/** Shortest and longest description that search engines show whole, in characters. */
const [shortest, longest] = [50, 160];

/** Blocks that are not prose: code, tables, lists, quotes, images, headings and HTML. */
const notProse = /^(?:```|\||[-*] |\d+\. |>|!\[|#|<)/;

/** Returns the Markdown of a page without its frontmatter. */
export function withoutFrontmatter(markdown: string): string {
  return markdown.replace(/^---\n[\s\S]*?\n---\n+/, "");
}

/** Returns the sentences of a part of a page, without code blocks. */
function sentencesOf(markdown: string): string[] {
  return (
    markdown
      .replace(/^```[\s\S]*?^```$/gm, "")
      .split(/\n{2,}/)
      .map((block) => block.trim())
      .filter((block) => block !== "" && !notProse.test(block))
      .flatMap((paragraph) => plainText(paragraph).split(/(?<=[.!?]) (?=[A-Z“])/))
      // Run-in headings, such as "Question." of the decisions.
      .filter((sentence) => sentence.includes(" "))
  );
}

/** Removes links, emphasis and code marks. Quotation marks become typographic: they are in an attribute. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, "")
    .replace(/[`*]/g, "")
    .replace(/\\(.)/g, "$1")
    .replace(/"([^"]*)"/g, "“$1”")
    .replaceAll('"', "“")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns the description of a page: as many sentences of its introduction as fit; those of its sections
 * only if it would be too short. A sentence that is too long is cut at a word.
 *
 * @param prefix sentence before those of the page, such as the kind of a name of the API
 */
export function describe(markdown: string, prefix = ""): string {
  const [introduction = "", ...sections] = withoutFrontmatter(markdown).split(/^(?=## )/m);
  let description = append(prefix, sentencesOf(introduction));
  if (description.length < shortest) {
    description = append(description, sentencesOf(sections.join("")));
  }
  description = description.replace(/:$/, ".");
  if (description.length <= longest) return description;
  return `${description.slice(0, longest).replace(/\W*\s\S*$/, "")}…`;
}

/** Appends sentences while they fit; one that is too long only to a description that is too short. */
function append(text: string, sentences: readonly string[]): string {
  let description = text;
  for (const sentence of sentences) {
    const longer = description === "" ? sentence : `${description} ${sentence}`;
    if (longer.length > longest && description.length >= shortest) break;
    description = longer;
  }
  return description;
}
