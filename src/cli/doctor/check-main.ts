import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModuleExports } from "../loading/import-entry.ts";
import type { WranglerConfig } from "../wrangler/read-config.ts";
import {
  type DoctorContext,
  error,
  type Finding,
  good,
  misspelling,
  warning,
} from "./doctor-context.ts";

/** Known fields; a field with a similar name is probably a misspelling. */
const readFields: readonly string[] = [
  "main",
  "compatibility_date",
  "kv_namespaces",
  "queues",
  "durable_objects",
  "migrations",
  "exports",
  "ratelimits",
  "triggers",
  "d1_databases",
  "r2_buckets",
];

/** Validates the configuration file itself, before any code is loaded. */
export function checkFile(config: WranglerConfig): readonly Finding[] {
  return [...checkFields(config), checkMain(config), checkDate(config)].filter(
    (finding) => finding !== undefined,
  );
}

function checkFields({ fields, file }: WranglerConfig): readonly Finding[] {
  const misspelt = fields.filter((field) => !readFields.includes(field));
  return misspelt.flatMap((field) => {
    const hint = misspelling(field, readFields);
    return hint === "" ? [] : [error(`${file} has "${field}".${hint}`)];
  });
}

function checkMain({ main, file, folder }: WranglerConfig): Finding {
  if (main === undefined) {
    return error(`${file} has no \`main\`, the entry point of the Worker.`, {
      main: "src/worker.ts",
    });
  }
  if (existsSync(join(folder, main))) return good(`main is ${main}`);
  return error(`\`main\` is ${main}, which does not exist.`);
}

function checkDate({ compatibilityDate, file }: WranglerConfig): Finding {
  const today = new Date().toISOString().slice(0, 10);
  if (compatibilityDate === undefined) {
    return error(`${file} has no compatibility_date.`, { compatibility_date: today });
  }
  const text =
    compatibilityDate instanceof Date
      ? compatibilityDate.toISOString().slice(0, 10)
      : String(compatibilityDate);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDate) {
    return error(
      `compatibility_date must be a date such as "${today}", got ${JSON.stringify(text)}.`,
    );
  }
  if (text > today) {
    return warning(`compatibility_date ${text} is in the future; Cloudflare rejects it.`);
  }
  return good(`compatibility_date is ${text}`);
}

/** Checks that the module exports the handlers that the platform will call. */
export function checkHandlers({ config, exports }: DoctorContext): readonly Finding[] {
  const needed: [string, boolean][] = [
    ["fetch", true],
    ["queue", config.consumers.length > 0],
    ["scheduled", config.crons.length > 0],
  ];
  const missing = needed
    .filter(([name, isNeeded]) => isNeeded && !hasHandler(exports["default"], name))
    .map(([name]) => name);
  if (missing.length === 0) return [];
  return [
    error(
      `The default export of ${config.main} has no handler ${missing.join(" and no handler ")}. ` +
        "Use `export default app.worker()`, or spread it: `{ ...app.worker(), … }`.",
    ),
  ];
}

function hasHandler(main: ModuleExports[string], name: string): boolean {
  return typeof Reflect.get(Object(main), name) === "function";
}
