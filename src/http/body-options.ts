import { checkInteger, checkOptionNames } from "../util/options.ts";
import type { BodyLimits } from "./body-limits.ts";
import { BufferBudget } from "./buffer-budget.ts";

/** Limits of the body parser. Exceeding one results in a 413; exceeding `totalLimit` in a 503. */
export interface BodyParserOptions {
  /** Maximum bytes of a JSON or urlencoded body; default 1 MiB. */
  readonly limit?: number;
  /** Maximum bytes of a multipart body; default 20 MiB. */
  readonly multipartLimit?: number;
  /** Maximum bytes that all requests of the application buffer together; default 256 MiB. */
  readonly totalLimit?: number;
  /** Maximum fields of a form; default 1,000. */
  readonly maxFields?: number;
  /** Maximum parts of a multipart form, fields and files together; default 1,000. */
  readonly maxParts?: number;
  /** Maximum files of a multipart form, also empty ones; default 100. */
  readonly maxFiles?: number;
  /** Maximum header lines of one part; default 32. */
  readonly maxPartHeaderLines?: number;
  /** Maximum header bytes of one part; default 16 KiB. */
  readonly maxPartHeaderBytes?: number;
  /** Maximum characters of a part's name, and of its filename; default 1,024. */
  readonly maxNameLength?: number;
  /** Maximum bytes of one text field of a multipart form; default 1 MiB. */
  readonly maxFieldBytes?: number;
  /** Maximum nesting of arrays and objects in JSON; default 100. */
  readonly maxJsonDepth?: number;
  /** Maximum number of different member names in JSON, beyond one for every 256 characters; default 500. */
  readonly maxJsonNames?: number;
}

const bodyParserDefaults: Readonly<Required<BodyParserOptions>> = {
  limit: 1024 * 1024,
  multipartLimit: 20 * 1024 * 1024,
  totalLimit: 256 * 1024 * 1024,
  maxFields: 1000,
  maxParts: 1000,
  maxFiles: 100,
  maxPartHeaderLines: 32,
  maxPartHeaderBytes: 16 * 1024,
  maxNameLength: 1024,
  maxFieldBytes: 1024 * 1024,
  maxJsonDepth: 100,
  maxJsonNames: 500,
};

const owner = { code: "ERR_APPLICATION_BAD_OPTION", name: "Application" } as const;
const bodyParserOwner = { code: "ERR_APPLICATION_BAD_OPTION", name: "bodyParser" } as const;

/**
 * Returns the limits of the body parser.
 *
 * @throws EspalierError `ERR_APPLICATION_BAD_OPTION`
 */
export function resolveBodyLimits(options: BodyParserOptions): BodyLimits {
  checkOptionNames(bodyParserOwner, options, bodyParserDefaults);
  const limit = (name: keyof BodyParserOptions): number =>
    checkInteger(owner, `bodyParser.${name}`, options[name] ?? bodyParserDefaults[name], 0);
  return {
    limitBytes: limit("limit"),
    multipartLimitBytes: limit("multipartLimit"),
    maxFields: limit("maxFields"),
    maxJsonDepth: limit("maxJsonDepth"),
    maxJsonNames: limit("maxJsonNames"),
    multipart: {
      maxParts: limit("maxParts"),
      maxFiles: limit("maxFiles"),
      maxFields: limit("maxFields"),
      maxHeaderLines: limit("maxPartHeaderLines"),
      maxHeaderBytes: limit("maxPartHeaderBytes"),
      maxNameLength: limit("maxNameLength"),
      maxFieldBytes: limit("maxFieldBytes"),
    },
    budget: new BufferBudget(limit("totalLimit")),
  };
}
