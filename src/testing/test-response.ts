import { AssertionError } from "./assertion-error.ts";
import { findDifference, show } from "./contains.ts";

/** What a response answers: its method and target, for messages. */
export interface TestResponseSource {
  readonly method: string;
  readonly target: string;
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * A response with its body read, and assertions that say what was there instead. Each gives the
 * response again, so that they can follow one another.
 */
export class TestResponse {
  /** The status. */
  readonly status: number;
  /** The headers. */
  readonly headers: Headers;
  /** The body as text. */
  readonly text: string;
  /** The body as it was sent. */
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
   * The body as JSON.
   *
   * @typeParam Data what the test takes it for; nothing checks that
   * @throws AssertionError when it is no JSON
   */
  json<Data = unknown>(): Data {
    try {
      return JSON.parse(this.text);
    } catch {
      throw this.#failure("the body is not JSON");
    }
  }

  /** Throws when the status is another. */
  assertStatus(status: number): this {
    if (this.status === status) return this;
    throw this.#failure(`the status is ${this.status}, not ${status}`);
  }

  /** Any status from 200 to 299. */
  assertOk(): this {
    if (this.status >= 200 && this.status <= 299) return this;
    throw this.#failure(`the status is ${this.status}, not 200 to 299`);
  }

  /** A redirect, to this location when it is given. */
  assertRedirect(location?: string): this {
    if (this.status < 300 || this.status > 399 || !this.headers.has("location")) {
      throw this.#failure(`the status is ${this.status}, and that is no redirect`);
    }
    return location === undefined ? this : this.assertHeader("location", location);
  }

  /** The header is there; with this value when one is given, or one that the pattern matches. */
  assertHeader(name: string, value?: string | RegExp): this {
    const actual = this.headers.get(name);
    if (actual === null) throw this.#failure(`there is no header ${name}`);
    const isRight = value instanceof RegExp ? value.test(actual) : (value ?? actual) === actual;
    if (isRight) return this;
    throw this.#failure(`the header ${name} is ${show(actual)}, not ${String(value)}`);
  }

  /** The header is absent. */
  assertNoHeader(name: string): this {
    const actual = this.headers.get(name);
    if (actual === null) return this;
    throw this.#failure(`the header ${name} is there: ${show(actual)}`);
  }

  /** The body as JSON has these members, at any depth; it may have others. */
  assertJson(expected: unknown): this {
    const difference = findDifference(this.json(), expected);
    if (difference === undefined) return this;
    throw this.#failure(`of the body, ${difference}`);
  }

  /** The body contains this text. */
  assertText(expected: string): this {
    if (this.text.includes(expected)) return this;
    throw this.#failure(`the body does not contain ${show(expected)}`);
  }

  /** A Problem Details response (RFC 9457) with this status and these members. */
  assertProblem(status: number, members: Readonly<Record<string, unknown>> = {}): this {
    this.assertStatus(status);
    this.assertHeader("content-type", /^application\/problem\+json\b/);
    return this.assertJson(members);
  }

  /** A failed validation (422) that names these fields, and perhaps others. */
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
