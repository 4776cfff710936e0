/** A request for which the called files are measured. */
export interface MeasuredRequest {
  readonly name: string;
  readonly expectedStatus: number;
  create(): Request;
}

/** A minimal request with a parameter, and one with a validated body. */
export const measuredRequests: readonly MeasuredRequest[] = [
  {
    name: "GET /hello/:name",
    expectedStatus: 200,
    create: () => new Request("http://localhost/hello/ada"),
  },
  {
    name: "POST /books, validated",
    expectedStatus: 201,
    create: () =>
      new Request("http://localhost/books", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title: "Dune", pages: 412 }),
      }),
  },
];
