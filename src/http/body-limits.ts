import type { BufferBudget } from "./buffer-budget.ts";
import type { MultipartLimits } from "./multipart/limits.ts";

/** Limits of the body parser. Each is checked while a body is read; one exceeded is a 413. */
export interface BodyLimits {
  /** Bytes of a JSON or urlencoded body. */
  readonly limitBytes: number;
  /** Bytes of a multipart body, which carries files. */
  readonly multipartLimitBytes: number;
  /** Fields of an urlencoded body. */
  readonly maxFields: number;
  /** How deeply JSON may be nested. */
  readonly maxJsonDepth: number;
  /** Limits of the parts of a multipart body. */
  readonly multipart: MultipartLimits;
  /** Bytes that all requests of the application may buffer together; one exceeded is a 503. */
  readonly budget: BufferBudget;
}
