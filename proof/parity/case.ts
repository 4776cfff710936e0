/** A request, sent identically to every platform. */
export interface Call {
  readonly method?: string;
  /** Path and query, sent unchanged. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Sends the cookies set by previous responses of the case, as a browser would. */
  readonly withCookies?: boolean;
}

/** A response in comparable form; see `comparable.ts`. */
export interface Answer {
  readonly status: number;
  /** Names in lower case, sorted; one `set-cookie` per cookie. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** One or more sequential requests, and the expected status of the last response. */
export interface ParityCase {
  readonly title: string;
  readonly status: number;
  readonly calls: readonly Call[];
  /** False for long documents, which are compared with Node's response of the same run. */
  readonly isRecorded?: boolean;
}

/** Returns a case with one request. */
export function asked(
  title: string,
  status: number,
  path: string,
  call: Omit<Call, "path"> = {},
): ParityCase {
  return { title, status, calls: [{ path, ...call }] };
}

/** Returns a case whose response is too long to be recorded. */
export function unrecorded(one: ParityCase): ParityCase {
  return { ...one, isRecorded: false };
}

/** Returns a case with a POST of a string and its content type. */
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
