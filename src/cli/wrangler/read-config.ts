import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { asTable, asTables, asText, readWranglerFile, type Table } from "./config-file.ts";

/** A Cloudflare Queues consumer. */
export interface QueueConsumer {
  readonly queue: string;
  readonly maxRetries: number | undefined;
  readonly deadLetterQueue: string | undefined;
}

/** A Durable Object binding. */
interface ObjectBinding {
  readonly name: string;
  readonly className: string;
  /** The Worker that defines the class; undefined for this one. */
  readonly scriptName: string | undefined;
}

/** The part of wrangler's configuration that affects an application. */
export interface WranglerConfig {
  readonly file: string;
  /** The folder of the file, to which `main` is relative. */
  readonly folder: string;
  readonly format: "toml" | "json";
  /** The names of the top-level tables and fields. */
  readonly fields: readonly string[];
  readonly main: string | undefined;
  /** The raw value: a string, or a date in TOML. */
  readonly compatibilityDate: unknown;
  /** The names of the KV bindings. */
  readonly kv: readonly string[];
  readonly producers: readonly { readonly binding: string; readonly queue: string }[];
  readonly consumers: readonly QueueConsumer[];
  readonly objects: readonly ObjectBinding[];
  /** Durable Object classes that the deployment creates, by migrations or by `exports`. */
  readonly createdClasses: readonly string[];
  /** `true` if `exports` declares Durable Object classes: then wrangler refuses migrations. */
  readonly declaresClasses: boolean;
  /** The names of the Rate Limiting bindings. */
  readonly rateLimits: readonly string[];
  readonly crons: readonly string[];
  /** The names of all bindings of any kind. */
  readonly bindings: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Fields that an environment does not inherit from the top level. */
const notInherited: readonly string[] = [
  "vars",
  "kv_namespaces",
  "queues",
  "durable_objects",
  "ratelimits",
  "d1_databases",
  "r2_buckets",
  "services",
  "hyperdrive",
  "vectorize",
  "analytics_engine_datasets",
  "workflows",
  "send_email",
  "ai",
  "browser",
  "images",
  "version_metadata",
  "mtls_certificates",
  "dispatch_namespaces",
  "pipelines",
  "secrets_store_secrets",
  "tail_consumers",
  "unsafe",
];

/**
 * Reads wrangler's configuration; returns undefined if the folder has none.
 *
 * @param environment the name of an environment, as `wrangler deploy --env` takes it
 * @throws CommandError for a file that is not there or cannot be parsed, and for an unknown environment
 */
export function readWranglerConfig(
  folder: string,
  given?: string,
  environment?: string,
): WranglerConfig | undefined {
  const file = readWranglerFile(folder, given);
  if (file === undefined) return undefined;
  const content =
    environment === undefined ? file.content : ofEnvironment(file.content, environment);
  const queues = asTable(content["queues"]);
  const declared = declaredObjects(asTable(content["exports"]));
  return {
    file: file.name,
    folder: dirname(join(folder, file.name)),
    format: file.format,
    fields: Object.keys(file.content),
    main: asText(content["main"]),
    compatibilityDate: content["compatibility_date"],
    kv: asTables(content["kv_namespaces"]).map((table) => textOf(table, "binding")),
    producers: asTables(queues["producers"]).map((table) => {
      return { binding: textOf(table, "binding"), queue: textOf(table, "queue") };
    }),
    consumers: asTables(queues["consumers"]).map(readConsumer),
    objects: asTables(asTable(content["durable_objects"])["bindings"]).map((table) => ({
      name: textOf(table, "name"),
      className: textOf(table, "class_name"),
      scriptName: asText(table["script_name"]),
    })),
    createdClasses: [
      ...asTables(content["migrations"]).flatMap(migratedClasses),
      ...declared.filter(isLive).map(({ className }) => className),
    ],
    declaresClasses: declared.length > 0,
    rateLimits: asTables(content["ratelimits"]).map((table) => textOf(table, "name")),
    crons: textsOf(asTable(content["triggers"])["crons"]),
    bindings: Object.entries(content).flatMap(([field, value]) =>
      field === "env" ? [] : bindingNames(value),
    ),
    variables: asTable(content["vars"]),
  };
}

/**
 * Returns the names of the bindings in a field of the configuration: the values of `binding`, and of `name` in
 * lists, as in those of Durable Objects, at any depth.
 */
function bindingNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry) => [...textIn(entry, "name"), ...bindingNames(entry)]);
  }
  return [...textIn(value, "binding"), ...Object.values(asTable(value)).flatMap(bindingNames)];
}

function textIn(value: unknown, field: string): readonly string[] {
  const text = asText(asTable(value)[field]);
  return text === undefined ? [] : [text];
}

function ofEnvironment(content: Table, name: string): Table {
  const environments = asTable(content["env"]);
  if (!Object.hasOwn(environments, name)) {
    const known = Object.keys(environments).join(", ") || "none";
    throw new CommandError(`Unknown environment "${name}". Known: ${known}.`);
  }
  const inherited = Object.entries(content).filter(([field]) => !notInherited.includes(field));
  return { ...Object.fromEntries(inherited), ...asTable(environments[name]) };
}

function readConsumer(table: Table): QueueConsumer {
  const maxRetries = table["max_retries"];
  return {
    queue: textOf(table, "queue"),
    maxRetries: typeof maxRetries === "number" ? maxRetries : undefined,
    deadLetterQueue: asText(table["dead_letter_queue"]),
  };
}

/** An entry of `exports` for a Durable Object class. */
interface DeclaredObject {
  readonly className: string;
  readonly state: unknown;
}

/** Reads `exports`, which also has entries for other kinds of classes. */
function declaredObjects(exports: Table): readonly DeclaredObject[] {
  return Object.entries(exports)
    .map(([className, value]) => ({ className, entry: asTable(value) }))
    .filter(({ entry }) => entry["type"] === "durable-object")
    .map(({ className, entry }) => ({ className, state: entry["state"] ?? "created" }));
}

/** Returns whether the class exists after the deployment: the other states delete, rename or transfer it. */
function isLive({ state }: DeclaredObject): boolean {
  return state === "created" || state === "expecting-transfer";
}

function migratedClasses(migration: Table): readonly string[] {
  const renamed = asTables(migration["renamed_classes"]).map((table) => textOf(table, "to"));
  return [
    ...textsOf(migration["new_sqlite_classes"]),
    ...textsOf(migration["new_classes"]),
    ...renamed,
  ];
}

/** Returns the string in a field; an empty string, which matches no name, if it is missing. */
function textOf(table: Table, field: string): string {
  return asText(table[field]) ?? "";
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
