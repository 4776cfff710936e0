/** Limits of a multipart form. Each is checked while the form is read; one exceeded is a 413. */
export interface MultipartLimits {
  /** Parts, text fields and files together. Default 1,000. */
  readonly maxParts?: number;
  /** Text fields. Default 1,000. */
  readonly maxFields?: number;
  /** Files, those without content included. Default 100: each is an object of the platform, which takes a while. */
  readonly maxFiles?: number;
  /** Header lines of one part. Default 32. */
  readonly maxHeaderLines?: number;
  /** Header bytes of one part, line ends included. Default 16,384. */
  readonly maxHeaderBytes?: number;
  /** Characters (UTF-16 code units) of a name, and of a filename. Default 1,024. */
  readonly maxNameLength?: number;
  /** Bytes of one text field. Default 1,048,576. */
  readonly maxFieldBytes?: number;
  /** Bytes of one file. Default: no limit but `maxBytes`. */
  readonly maxFileBytes?: number;
  /** Bytes of the whole form. Default: no limit, for forms whose bytes were counted before. */
  readonly maxBytes?: number;
}

export const defaultMultipartLimits: Readonly<Required<MultipartLimits>> = {
  maxParts: 1000,
  maxFields: 1000,
  maxFiles: 100,
  maxHeaderLines: 32,
  maxHeaderBytes: 16_384,
  maxNameLength: 1024,
  maxFieldBytes: 1_048_576,
  maxFileBytes: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
};
