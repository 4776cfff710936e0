import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type CommandDef, defineCommand } from "citty";
import { CommandError } from "../command-error.ts";
import { loadApplication, release } from "../loading/load-application.ts";
import { print, printNote } from "../output.ts";

const args = {
  app: {
    type: "positional",
    required: false,
    description: "The file that exports the application; it is looked for without one.",
  },
  out: {
    type: "string",
    valueHint: "file",
    description: "Writes the document there, not to the output.",
  },
  client: {
    type: "string",
    valueHint: "file",
    description: "Writes the types of a client there (needs openapi-typescript).",
  },
} as const;

/** `espalier openapi`: writes the OpenAPI document, and types for a client. */
export const openApiCommand: CommandDef<typeof args> = defineCommand({
  meta: { name: "openapi", description: "Writes the OpenAPI document, and types for a client." },
  args,
  async run({ args: { app, out, client } }) {
    const folder = process.cwd();
    const writeTypes = client === undefined ? undefined : await findTypeWriter(folder);
    const { application } = await loadApplication(folder, app);
    const document = await describe(() => application.createOpenApiDocument());
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (out !== undefined) await save(folder, out, text);
    if (client !== undefined && writeTypes !== undefined) {
      await save(folder, client, await writeTypes(text));
    }
    if (out === undefined && client === undefined) await print(text);
    await release(application);
  },
});

async function describe<Document>(create: () => Promise<Document>): Promise<Document> {
  try {
    return await create();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(
      `The application does not start, so it cannot be described. ${message}\n` +
        "What it needs of the environment can stand in .dev.vars beside wrangler.toml, or be set before the command.",
      { cause },
    );
  }
}

async function save(folder: string, name: string, text: string): Promise<void> {
  const file = resolve(folder, name);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${name} cannot be written: ${message}.`, { cause });
  }
  printNote(`Wrote ${name}`);
}

/** The part of openapi-typescript that is used here. */
interface TypeWriterModule {
  default(document: string): Promise<unknown>;
  astToString(syntax: unknown): string;
}

const heading =
  "// Made by `espalier openapi --client`. Changes belong into the application: make this file again.\n\n";

/**
 * Loads the project's openapi-typescript, which generates types from a document.
 *
 * @throws CommandError when it is not installed
 */
async function findTypeWriter(folder: string): Promise<(document: string) => Promise<string>> {
  const file = resolveTypeWriter(folder);
  // Unchecked cast to its documented exports, since the project may have another version installed.
  const writer = (await import(pathToFileURL(file).href)) as TypeWriterModule;
  return async (document) => heading + writer.astToString(await writer.default(document));
}

function resolveTypeWriter(folder: string): string {
  try {
    const main = createRequire(join(folder, "package.json")).resolve("openapi-typescript");
    return main.replace(/\.cjs$/, ".mjs");
  } catch (cause) {
    throw new CommandError(
      "--client needs the package openapi-typescript, which is not installed here. " +
        "Run: npm pkg set 'overrides.openapi-typescript.typescript=$typescript' && " +
        "npm install --save-dev openapi-typescript typescript && npm install openapi-fetch",
      { cause },
    );
  }
}
