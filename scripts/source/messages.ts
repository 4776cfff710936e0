import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listFiles } from "../runner/list-files.ts";
import { root } from "../runner/root.ts";

/** A text of the sources that users, clients or operators read. */
export interface Message {
  readonly kind: MessageKind;
  /** Error code, status, log level or name of the property; may be empty. */
  readonly label: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** The text, with the expressions of a template as they are written. */
  readonly text: string;
}

export type MessageKind =
  | "Errors"
  | "Responses"
  | "Logs"
  | "OpenAPI"
  | "Command line"
  | "Starter"
  | "Other texts";

/** Folders of the sources whose texts are read by users. */
const folders = ["src", "create-espalier/src"];

const logLevels: readonly string[] = ["debug", "info", "warn", "error"];
const openApiNames: readonly string[] = ["description", "summary", "title"];

/** Returns all texts of the sources, in the order of kind, label and file. */
export function collectMessages(): Message[] {
  const messages = listFiles(folders)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .flatMap(messagesOf);
  const keyOf = ({ kind, label, file, text }: Message): string =>
    [kind, label, file, text].join("\0");
  const distinct = new Map(messages.map((message) => [keyOf(message), message]));
  return [...distinct.keys()].toSorted().map((key) => distinct.get(key) as Message);
}

function messagesOf(file: string): Message[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.ESNext,
    true,
  );
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const { kind, label } = placeOf(node, file);
    if (isProse(text, kind)) found.push({ kind, label, file, text });
    visitExpressions(node, visit);
  };
  visit(source);
  return found;
}

/** Texts inside the expressions of a template are messages of their own kind. */
function visitExpressions(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTemplateExpression(node)) {
    for (const { expression } of node.templateSpans) visit(expression);
  } else if (ts.isBinaryExpression(node)) {
    for (const side of [node.left, node.right]) visitExpressions(side, visit);
  }
}

/** Returns the text of a string, a template or a concatenation of them; undefined for other nodes. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) =>
        `\${${expression.getText().replace(/\s+/g, " ")}}${literal.text}`,
    );
    return node.head.text + spans.join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
    return undefined;
  }
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  const expressionOf = (side: ts.Expression): string =>
    `\${${side.getText().replace(/\s+/g, " ")}}`;
  return (left ?? expressionOf(node.left)) + (right ?? expressionOf(node.right));
}

/** Generated code, HTML, CSS, Lua and SQL. */
const code =
  /^\s*(?:import |export |<|:root|\/\/ |assert\.|expect\()|redis\.call|::\w|\b(?:clock|statement)_timestamp\b|^\s*(?:CREATE (?:TABLE|INDEX)|DELETE FROM|INSERT |SELECT |UPDATE |delete from|id text|do \$)|\bcolor-scheme\b|^\[\[/;

/** Three words or more; of errors and log records also shorter texts. */
function isProse(text: string, kind: MessageKind): boolean {
  if (code.test(text)) return false;
  const words = text.replace(/\$\{[^}]*\}/g, "x").match(/[A-Za-z][a-z']*/g) ?? [];
  return /\w \S/.test(text) && words.length >= (kind === "Other texts" ? 3 : 2);
}

/** Kind and label of a text, from the nearest call or property around it. */
function placeOf(node: ts.Node, file: string): Pick<Message, "kind" | "label"> {
  for (let { parent } = node; parent !== undefined; parent = parent.parent) {
    const place = placeIn(parent, node, file);
    if (place !== undefined) return place;
    if (ts.isFunctionLike(parent) || ts.isClassLike(parent)) break;
  }
  return { kind: areaOf(file), label: "" };
}

function placeIn(
  parent: ts.Node,
  node: ts.Node,
  file: string,
): Pick<Message, "kind" | "label"> | undefined {
  if (ts.isPropertyAssignment(parent) && parent.initializer !== node) return undefined;
  if (
    ts.isPropertyAssignment(parent) &&
    openApiNames.includes(parent.name.getText()) &&
    file.startsWith("src/")
  ) {
    return { kind: areaOf(file, "OpenAPI"), label: parent.name.getText() };
  }
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return undefined;
  const [first] = parent.arguments ?? [];
  if (first === undefined || first === node) {
    const name = parent.expression.getText().split(".").at(-1) ?? "";
    if (logLevels.includes(name) && ts.isCallExpression(parent))
      return { kind: "Logs", label: name };
  }
  if (first !== undefined && ts.isStringLiteral(first) && first.text.startsWith("ERR_")) {
    return { kind: "Errors", label: first.text };
  }
  const name = parent.expression.getText();
  if (ts.isNewExpression(parent) && name === "HttpError") {
    return { kind: "Responses", label: first?.getText() ?? "" };
  }
  if (ts.isNewExpression(parent) && name.endsWith("Error")) {
    return { kind: areaOf(file, "Errors"), label: name };
  }
  return undefined;
}

/** Kind of a text by its folder; `otherwise` for the library. */
function areaOf(file: string, otherwise: MessageKind = "Other texts"): MessageKind {
  if (file.startsWith("create-espalier/")) return "Starter";
  if (file.startsWith("src/cli/")) return "Command line";
  if (file.startsWith("src/openapi/") && otherwise === "Other texts") return "OpenAPI";
  return otherwise;
}

/** Renders the messages as the file that `test/messages` compares. */
export function formatMessages(messages: readonly Message[]): string {
  const sections = [...Map.groupBy(messages, ({ kind }) => kind)].map(([kind, group]) => {
    const lines = [...Map.groupBy(group, ({ label, file }) => `${label} ${file}`.trim())].map(
      ([place, texts]) =>
        `${place}\n${texts.map(({ text }) => `    ${text.replaceAll("\n", "\n    ")}\n`).join("")}`,
    );
    return `## ${kind}\n\n${lines.join("\n")}`;
  });
  return `${sections.join("\n")}`;
}
