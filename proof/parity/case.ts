/** One request, as data: every platform is sent the same. */
export interface Call {
  readonly method?: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent in UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Cookies that former answers of the same case have set are sent along, as a browser would. */
  readonly withCookies?: boolean;
}

/** What came back, as it can be compared: see `comparable.ts`. */
export interface Answer {
  readonly status: number;
  /** Names in lower case, sorted; `set-cookie` once for each cookie. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** One or more requests, one after the other, and the status that the last answer must have. */
export interface ParityCase {
  readonly title: string;
  readonly status: number;
  readonly calls: readonly Call[];
  /** False for long documents, which are compared with what Node gives in the same run. */
  readonly isRecorded?: boolean;
}

/** One request as a case. */
export function asked(
  title: string,
  status: number,
  path: string,
  call: Omit<Call, "path"> = {},
): ParityCase {
  return { title, status, calls: [{ path, ...call }] };
}

/** A case whose answer is too long to be read in a record. */
export function unrecorded(one: ParityCase): ParityCase {
  return { ...one, isRecorded: false };
}

/** A POST of a text with its content type. */
export function posted(
  title: string,
  status: number,
  path: string,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): ParityCase {
  const call = { path, method: "POST", headers: { "content-type": type, ...headers }, body };
  return { title, status, calls: [call] };
}
