/** Headers that many responses have in common. The names and values are valid ones. */
export class FixedHeaders {
  readonly values: Readonly<Record<string, string>>;
  readonly #empty: Map<number, Response> = new Map();

  constructor(values: Readonly<Record<string, string>>) {
    this.values = values;
  }

  /**
   * A response of that status with these headers and without a body, for others to begin as: it is the
   * same one each time, and nobody else is to get it. It is made when first asked for, because a Worker
   * makes no response before its first request.
   */
  emptyResponse(status: number): Response {
    const known = this.#empty.get(status);
    if (known !== undefined) return known;
    const made = new Response(null, { status, headers: this.values });
    this.#empty.set(status, made);
    return made;
  }
}
