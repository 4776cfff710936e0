import type { CodeBlock } from "./code-blocks.ts";

/** A `curl` command of a page, and the response shown below it. */
export interface Exchange {
  readonly command: string;
  /** The request that the command sends, with the values of its `$VARIABLES`. */
  request(variables: ReadonlyMap<string, string>): Request;
  /** Output on the page; `…` stands for omitted text. */
  readonly answer: RegExp;
}

/** Returns the exchanges in the `sh` blocks of a page, in order. */
export function curlExchanges(blocks: readonly CodeBlock[]): readonly Exchange[] {
  return blocks
    .filter(({ language, text }) => language === "sh" && text.startsWith("$ curl"))
    .flatMap(({ page, text }) =>
      text
        .split(/^\$ /m)
        .slice(1)
        .map((part) => parse(page, part)),
    );
}

function parse(page: string, part: string): Exchange {
  const [command = "", ...answer] = part.trimEnd().split("\n");
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? "",
  );
  const [program, ...rest] = words;
  if (program !== "curl") throw new Error(`${page}: a test cannot run "${command}"`);
  return {
    command,
    request: (variables) => createRequest(page, rest, variables),
    answer: patternOf(answer.map((line) => line.trim()).join("")),
  };
}

function createRequest(
  page: string,
  words: readonly string[],
  variables: ReadonlyMap<string, string>,
): Request {
  const headers = new Headers();
  let [url, method, body]: (string | undefined)[] = [];
  const left = words.map((word) => fillIn(page, word, variables));
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "-X") method = left.shift();
    else if (word === "-H") {
      const [name = "", value = ""] = (left.shift() ?? "").split(/: */);
      headers.set(name, value);
    } else if (word === "--json") {
      headers.set("content-type", "application/json");
      body = left.shift();
    } else if (word.startsWith("localhost:")) url = `http://${word}`;
    else throw new Error(`${page}: a test does not know "${word}" of curl`);
  }
  if (url === undefined) throw new Error(`${page}: "curl ${words.join(" ")}" has no URL`);
  method ??= body === undefined ? "GET" : "POST";
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
}

function fillIn(page: string, word: string, variables: ReadonlyMap<string, string>): string {
  return word.replace(/\$([A-Z_]+)/g, (_text, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`${page}: $${name} is not set`);
    return value;
  });
}

function patternOf(answer: string): RegExp {
  const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${answer.split("…").map(escapeText).join(".*")}$`);
}
