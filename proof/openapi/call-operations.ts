import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Operation } from "./operations.ts";

/** Names of the generators whose clients call every operation. */
export const generators = ["openapi-typescript", "orval", "hey-api", "kubb"] as const;
export type Generator = (typeof generators)[number];

/**
 * Limits of the generators' clients, whatever the document says, as the start of their faults. Each was
 * reproduced with the version in `tools.ts`, and must occur: a limit that is gone is a fault.
 */
export const knownLimits: Readonly<Record<Generator, readonly string[]>> = {
  "openapi-typescript": [],
  // Its client parses the body as JSON if the operation has a JSON response too, such as an error.
  orval: ["books.export: SyntaxError", "home: SyntaxError", "stylesheet: SyntaxError"],
  "hey-api": [],
  kubb: [
    // Its client parses every body as JSON.
    "books.export: SyntaxError",
    "home: SyntaxError",
    "stylesheet: SyntaxError",
    // It sends JSON as application/x-www-form-urlencoded.
    "theme: status 422",
  ],
};

/**
 * Writes a program that calls every operation by the client of a generator, with arguments that the client's
 * types check, and prints each request as a line of JSON.
 *
 * @param home folder with the clients in `generated/`
 * @returns path of the program, which takes the URL of the application and a token
 */
export function writeProgram(
  home: string,
  generator: Generator,
  operations: readonly Operation[],
): string {
  writeFileSync(join(home, "harness.ts"), harness);
  const { imports, call } = writers[generator](home);
  const calls = operations.map(
    (operation) => `await attempt(${JSON.stringify(operation.id)}, () => ${call(operation)});`,
  );
  const file = join(home, "generated", `call-${generator}.ts`);
  writeFileSync(
    file,
    ['import { attempt, base } from "../harness.ts";', imports, ...calls].join("\n"),
  );
  return file;
}

/** Source of the module that programs share: records requests, and adds base URL and token. */
const harness = `declare const process: { readonly argv: readonly string[] };
export const [, , base = "", token = ""] = process.argv;
const send = globalThis.fetch;
let operation = "";

globalThis.fetch = async (input, init) => {
  const request = new Request(typeof input === "string" ? new URL(input, base) : input, init);
  request.headers.set("authorization", \`Bearer \${token}\`);
  const { method, url } = request;
  const response = await send(request, { redirect: "manual" });
  const { status } = response;
  const problem = status >= 400 ? await response.clone().text() : undefined;
  print({ method, path: new URL(url).pathname, status, problem });
  return response;
};

/** Calls an operation. A client may reject for an unsuccessful status, but not for a successful response. */
export async function attempt(id: string, call: () => unknown): Promise<void> {
  operation = id;
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ProblemError") print({ error: String(error) });
  }
}

function print(fact: object): void {
  console.log(JSON.stringify({ operation, ...fact }));
}
`;

interface Writer {
  readonly imports: string;
  /** Returns the source of the expression that calls an operation. */
  call(operation: Operation): string;
}

const writers: Readonly<Record<Generator, (home: string) => Writer>> = {
  "openapi-typescript": () => ({
    imports: [
      'import { createClient } from "espalier/client";',
      'import type { paths } from "./openapi-typescript.ts";',
      "const client = createClient<paths>({ baseUrl: base });",
      "const form = (fields: Record<string, Blob>) => {",
      "  const data = new FormData();",
      "  for (const [name, value] of Object.entries(fields)) data.append(name, value);",
      "  return data;",
      "};",
    ].join("\n"),
    call({ method, path, pathParameters, query, body, isJson }) {
      const isForm = body?.type === "multipart/form-data";
      const params = [objectOf("path", pathParameters), objectOf("query", query)].filter(isText);
      const options = [
        params.length === 0 ? undefined : `params: { ${params.join(", ")} }`,
        body && `body: ${isForm ? `form(${body.value})` : body.value}`,
        body?.type === "application/x-www-form-urlencoded"
          ? 'headers: { "content-type": TYPE }'
          : "",
        isJson ? undefined : 'parseAs: "text"',
      ].filter(isText);
      const text = options.join(", ").replace("TYPE", JSON.stringify(body?.type));
      return `client.${method.toUpperCase()}(${JSON.stringify(path)}, { ${text} })`;
    },
  }),
  orval: () => ({
    imports: 'import * as client from "./orval.ts";',
    call: (operation) => `client.${functionName(operation)}(${positional(operation)})`,
  }),
  "hey-api": () => ({
    imports: [
      'import * as client from "./hey-api/sdk.gen.ts";',
      'import { client as shared } from "./hey-api/client.gen.ts";',
      'shared.setConfig({ baseUrl: base.replace(/\\/$/, "") });',
    ].join("\n"),
    call(operation) {
      const { pathParameters, query, body } = operation;
      const members = [
        objectOf("path", pathParameters),
        objectOf("query", query),
        body && `body: ${body.value}`,
      ].filter(isText);
      const options = members.length === 0 ? "" : `{ ${members.join(", ")} }`;
      return `client.${functionName(operation)}(${options})`;
    },
  }),
  kubb(home) {
    const folder = join(home, "generated/kubb/clients");
    const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith("index.ts"))
      .map((name) => {
        const text = readFileSync(join(folder, name), "utf8");
        const exported = /^export async function (\w+)/m.exec(text)?.[1] ?? "";
        return `import { ${exported} } from "./kubb/clients/${relative(".", name)}";`;
      });
    return {
      imports: modules.join("\n"),
      call(operation) {
        // Its client sends JSON as text/plain unless it gets the header.
        const type = operation.body?.type === "application/json";
        const config = type ? ', { headers: { "content-type": "application/json" } }' : "";
        return `${functionName(operation)}(${positional(operation)}${config})`;
      },
    };
  },
};

const isText = (text: string | undefined): text is string => text !== undefined && text !== "";

type Arguments = Operation["query"];

function objectOf(name: string, list: Arguments): string | undefined {
  if (list.length === 0) return undefined;
  return `${name}: ${literalOf(list)}`;
}

function literalOf(list: Arguments): string {
  return `{ ${list.map(({ name, value }) => `${JSON.stringify(name)}: ${value}`).join(", ")} }`;
}

/** Arguments in the order of generated functions: path parameters, body, query. */
function positional({ pathParameters, query, body }: Operation): string {
  const list = pathParameters.map(({ value }) => value);
  return [...list, body?.value, query.length === 0 ? undefined : literalOf(query)]
    .filter(isText)
    .join(", ");
}

/** Generators write an operation id in camel case: `books.cover.show` is `booksCoverShow`. */
function functionName({ id }: Operation): string {
  return id.replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
