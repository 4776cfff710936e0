import type { BufferBudget } from "./buffer-budget.ts";
import type { MultipartLimits } from "./multipart/limits.ts";

/** Limits of the body parser, checked while a body is read. Exceeding one is a 413. */
export interface BodyLimits {
  /** Maximum bytes of a JSON or urlencoded body. */
  readonly limitBytes: number;
  /** Maximum bytes of a multipart body, including files. */
  readonly multipartLimitBytes: number;
  /** Maximum number of fields of an urlencoded body. */
  readonly maxFields: number;
  /** Maximum nesting depth of JSON. */
  readonly maxJsonDepth: number;
  /** Maximum number of different member names in JSON, beyond one for every 256 characters. */
  readonly maxJsonNames: number;
  /** Limits of the parts of a multipart body. */
  readonly multipart: MultipartLimits;
  /** Bytes that all requests of the application may buffer together; exceeding it is a 503. */
  readonly budget: BufferBudget;
}
