import { describe } from "../util/describe.ts";
import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** The request and its response; method and target are shown in messages. */
export interface TestResponseSource {
  readonly method: string;
  readonly target: string;
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A response with its body read, and assertions that report the actual value. Each returns the response, so
 * that calls can be chained.
 */
export class TestResponse {
  /** The status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
  /** The body as a string. */
  readonly text: string;
  /** The raw bytes of the body. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #title: string;

  /** @internal */
  constructor({ method, target, response, bytes }: TestResponseSource) {
    this.#title = `${method} ${target}`;
    this.status = response.status;
    this.headers = response.headers;
    this.bytes = bytes;
    this.text = new TextDecoder().decode(bytes);
  }

  /**
   * Parses the body as JSON.
   *
   * @typeParam Data expected type of the data; not checked
   * @throws AssertionError if the body is not valid JSON
   */
  json<Data = unknown>(): Data {
    try {
      return JSON.parse(this.text);
    } catch {
      throw this.#failure("the body is not JSON");
    }
  }

  /** Throws unless the response has this status. */
  assertStatus(status: number): this {
    if (this.status === status) return this;
    throw this.#failure(`the status is ${this.status}, not ${describe(status)}`);
  }

  /** Throws unless the status is 200 to 299. */
  assertOk(): this {
    if (this.status >= 200 && this.status <= 299) return this;
    throw this.#failure(`the status is ${this.status}, not 200 to 299`);
  }

  /** Throws unless the response is a redirect, optionally to this location. */
  assertRedirect(location?: string): this {
    if (this.status < 300 || this.status > 399 || !this.headers.has("location")) {
      throw this.#failure(`the status is ${this.status}, not a redirect with a Location header`);
    }
    return location === undefined ? this : this.assertHeader("location", location);
  }

  /** Throws unless the header exists, optionally with this value or one that matches the pattern. */
  assertHeader(name: string, value?: string | RegExp): this {
    const actual = this.headers.get(name);
    if (actual === null) throw this.#failure(`the header ${name} is missing`);
    const isRight = value instanceof RegExp ? value.test(actual) : (value ?? actual) === actual;
    if (isRight) return this;
    throw this.#failure(`the header ${name} is ${show(actual)}, not ${String(value)}`);
  }

  /** Throws if the header exists. */
  assertNoHeader(name: string): this {
    const actual = this.headers.get(name);
    if (actual === null) return this;
    throw this.#failure(`the header ${name} is there: ${show(actual)}`);
  }

  /** Throws unless the JSON body contains these members, at any depth; it may have others. */
  assertJson(expected: unknown): this {
    const difference = findDifference(this.json(), expected);
    if (difference === undefined) return this;
    throw this.#failure(`of the body, ${difference}`);
  }

  /** Throws unless the body contains this string. */
  assertText(expected: string): this {
    if (this.text.includes(expected)) return this;
    throw this.#failure(`the body does not contain ${show(expected)}`);
  }

  /** Throws unless this is a Problem Details response (RFC 9457) with this status and these members. */
  assertProblem(status: number, members: Readonly<Record<string, unknown>> = {}): this {
    this.assertStatus(status);
    this.assertHeader("content-type", /^application\/problem\+json\b/);
    return this.assertJson(members);
  }

  /** Throws unless this is a validation error (422) for at least these fields. */
  assertValidationError(...fields: string[]): this {
    this.assertProblem(422);
    const { errors = [] } = this.json<{ errors?: { field: string }[] }>();
    const named = errors.map(({ field }) => field);
    const missing = fields.filter((field) => !named.includes(field));
    if (missing.length === 0) return this;
    throw this.#failure(
      `no error is about ${missing.map(show).join(" and ")}, only about ${show(named)}`,
    );
  }

  #failure(what: string): AssertionError {
    const shown = this.text === "" ? "(no body)" : this.text.slice(0, 1000);
    return new AssertionError(`${this.#title}: ${what}.\n${this.status} ${shown}`);
  }
}
