/** Headers shared by many responses. Names and values must be valid. */
export class FixedHeaders {
  readonly values: Readonly<Record<string, string>>;
  readonly #empty: Map<number, Response> = new Map();

  constructor(values: Readonly<Record<string, string>>) {
    this.values = values;
  }

  /**
   * Returns a cached response with this status, these headers and no body, as a template for new responses.
   * It must not be sent itself. Created lazily, because a Worker cannot create a response before its first
   * request.
   */
  emptyResponse(status: number): Response {
    const known = this.#empty.get(status);
    if (known !== undefined) return known;
    const made = new Response(null, { status, headers: this.values });
    this.#empty.set(status, made);
    return made;
  }
}
