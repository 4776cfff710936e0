import {
  type MatcherOptions,
  type MatchStatus,
  PatternError,
  pathLimit,
  RouteMatch,
  type RouteMatcher,
} from "./route-match.ts";

/** What the WebAssembly module exports; `router-wasm/src/abi.rs` describes each. */
interface RouterExports {
  readonly memory: WebAssembly.Memory;
  initialize(ignoreTrailingSlash: number): void;
  buffer(): number;
  insert(method: number, length: number): number;
  position(): number;
  parameters(): number;
  parameter(index: number): number;
  find(method: number, from: number, to: number): number;
  result(): number;
  allows(method: number): number;
}

/** Numbers of methods, as `router-wasm/src/find.rs` has them. */
const getMethod = 0;
const headMethod = 1;
const allMethod = 2;
const unknownMethod = -1;
const anyMethod = -2;

/** `Reason::Duplicate` of `router-wasm/src/error.rs`. */
const duplicate = 1;

/** One sentence for each of the other reasons there. */
const reasons: readonly string[] = [
  "",
  "a route with this method and shape exists already",
  'a pattern must begin with "/"',
  'a name must follow ":", made of letters, digits, "_" and "$"; write "\\:" for the character',
  "a parameter name stands twice in the pattern",
  "two parameters need text between them",
  'a wildcard "*" must be the last segment',
  'a wildcard "*" must be a whole segment; write "\\*" for the character',
  '"?" may follow only a parameter that is a whole segment',
  'a parameter takes one segment, so "+" and "*" cannot follow it; a wildcard "*name" takes the rest',
  "this character belongs to the pattern syntax; write a backslash before it",
  'a constraint is written in parentheses: ":name(regex)", not ":name{regex}"',
  "a parenthesis has no partner",
  "a constraint must not be empty",
  "a constraint must be regular: no lookaround, no backreference, no anchor inside it",
  "the constraint is not a regular expression",
  "the constraint is too large: at most 64 characters once its {m,n} are written out",
  "a pattern may have at most six optional parameters",
  'a "%" must begin the escape of UTF-8 text; write "%25" for the character',
  "a backslash must stand before the character it escapes, and a slash cannot be escaped",
  "the pattern is longer than 16,384 characters",
];

/** What an answer of the module stands for: a route, in one of its variants. */
interface Answer {
  readonly route: number;
  /** The names of the parameters that have a value in this variant, in pattern order. */
  readonly names: readonly string[];
}

const noMethods: readonly string[] = [];
const notFound: RouteMatch = RouteMatch.failed(404);
const undecodable: RouteMatch = RouteMatch.failed(400);
const tooLong: RouteMatch = RouteMatch.failed(414);

/**
 * The matcher that runs the Rust trie of `router-wasm`, one instance of the module per matcher.
 *
 * A path is written into the instance's memory while it is scanned out of the URL; what comes back
 * are integers. Nothing else crosses the border, and nothing is allocated in it for a match.
 */
class WasmMatcher implements RouteMatcher {
  readonly engine = "wasm";
  readonly #module: WebAssembly.Module;
  readonly #options: MatcherOptions;
  readonly #inserted: { readonly method: string; readonly pattern: string }[] = [];
  readonly #methods = new Map<string, number>();
  readonly #answers: Answer[] = [];
  #router: RouterExports;
  #buffer: Uint8Array;
  /** Where the path of the last URL begins, and the spans of the values behind it. */
  #result: Uint32Array;

  constructor(module: WebAssembly.Module, options: MatcherOptions) {
    this.#module = module;
    this.#options = options;
    this.#methods.set("GET", getMethod).set("HEAD", headMethod).set("ALL", allMethod);
    this.#router = this.#instantiate();
    this.#buffer = new Uint8Array(this.#router.memory.buffer);
    this.#result = new Uint32Array(this.#router.memory.buffer);
    this.#view();
  }

  insert(method: string, pattern: string): void {
    const answer = this.#add(method, pattern);
    const parameters = this.#parameters();
    const optionals = parameters.filter((parameter) => parameter.optional).length;
    const route = this.#inserted.length;
    // The module counts the variants of a pattern down from "all optional segments are there".
    for (let variant = 2 ** optionals - 1; variant >= 0; variant--) {
      let bit = 2 ** optionals;
      const present = parameters.filter(({ optional }) => {
        if (optional) bit /= 2;
        return !optional || (variant & bit) !== 0;
      });
      const index = answer + 2 ** optionals - 1 - variant;
      this.#answers[index] = { route, names: present.map((parameter) => parameter.name) };
    }
    this.#inserted.push({ method, pattern });
  }

  find(method: string, url: string): RouteMatch {
    const start = url.indexOf("/", 8);
    if (start === -1) return notFound;
    const length = this.#write(url, start);
    if (length > pathLimit) return tooLong;
    if (length === notAscii) return this.find(method, escapeNonAscii(url));
    const number = method === "GET" ? getMethod : (this.#methods.get(method) ?? unknownMethod);
    const answer = this.#ask(number, url, start, length);
    if (answer < 0) return this.#failed(answer);
    const { route, names } = this.#answers[answer] as Answer; // the module returns what it was given
    const spans: number[] = [];
    for (let i = 1; i <= names.length; i++) spans.push(this.#result[i] as number);
    return new RouteMatch(200, route, noMethods, url, start, names, spans);
  }

  allowedMethods(url: string): readonly string[] {
    const start = url.indexOf("/", 8);
    const length = start === -1 ? pathLimit + 1 : this.#write(url, start);
    if (length === notAscii) return this.allowedMethods(escapeNonAscii(url));
    if (length > pathLimit) return [];
    return this.#ask(anyMethod, url, start, length) === -405 ? this.#allowed() : [];
  }

  /** Copies the path that begins at `start` into the module; its length, or `notAscii`. */
  #write(url: string, start: number): number {
    const buffer = this.#buffer;
    const end = Math.min(url.length, start + pathLimit + 1);
    let seen = 0;
    let at = start;
    for (; at < end; at++) {
      const code = url.charCodeAt(at);
      if (code === 63 || code === 35) break;
      buffer[at - start] = code;
      seen |= code;
    }
    return seen > 127 ? notAscii : at - start;
  }

  /** Asks the module about the path in its buffer, and a new instance if this one traps. */
  #ask(method: number, url: string, start: number, length: number): number {
    try {
      return this.#router.find(method, 0, length);
    } catch {
      this.#rebuild();
      this.#write(url, start);
      return this.#router.find(method, 0, length);
    }
  }

  #failed(answer: number): RouteMatch {
    const status = -answer as MatchStatus; // an answer below zero is one of these statuses
    if (status === 404) return notFound;
    if (status === 405) return RouteMatch.failed(405, this.#allowed());
    return status === 400 ? undecodable : tooLong;
  }

  /** The methods that the last path was found to have. */
  #allowed(): readonly string[] {
    const router = this.#router;
    const allowed = [...this.#methods]
      .filter(([, number]) => router.allows(number) !== 0)
      .map(([method]) => method);
    if (allowed.includes("GET") && !allowed.includes("HEAD")) allowed.push("HEAD");
    return allowed.sort();
  }

  /** Adds a route to the module; its first answer. */
  #add(method: string, pattern: string): number {
    const { read, written } = new TextEncoder().encodeInto(pattern, this.#buffer);
    const number = this.#methods.get(method) ?? this.#methods.size;
    const length = read === pattern.length ? written : pathLimit + 1;
    const answer = this.#router.insert(number, length);
    this.#view();
    if (answer < 0) throw this.#refusal(-answer);
    this.#methods.set(method, number);
    return answer;
  }

  #refusal(reason: number): PatternError {
    const message = reasons[reason] ?? "the router refuses the pattern";
    const position = this.#router.position();
    if (reason === duplicate) return new PatternError("duplicate", message, { conflict: position });
    const before = new TextDecoder().decode(this.#buffer.subarray(0, position));
    return new PatternError("invalid-pattern", message, { position: before.length });
  }

  /** The parameters of the last pattern, whose names still stand in the buffer. */
  #parameters(): { readonly name: string; readonly optional: boolean }[] {
    const parameters = [];
    for (let index = 0; index < this.#router.parameters(); index++) {
      const span = this.#router.parameter(index);
      const start = (span >>> 15) + 1;
      const bytes = this.#buffer.subarray(start, start + ((span >>> 1) & 0x3fff));
      const name = new TextDecoder().decode(bytes);
      parameters.push({ name: name === "" ? "*" : name, optional: (span & 1) === 1 });
    }
    return parameters;
  }

  #instantiate(): RouterExports {
    const { exports } = new WebAssembly.Instance(this.#module, {});
    const router = exports as unknown as RouterExports; // the module is ours
    router.initialize(this.#options.ignoreTrailingSlash ? 1 : 0);
    return router;
  }

  /** Looks at the module's memory anew: adding routes may move it. */
  #view(): void {
    const { buffer } = this.#router.memory;
    const [path, result] = [this.#router.buffer(), this.#router.result()];
    if (this.#buffer.buffer !== buffer || this.#buffer.byteOffset !== path) {
      this.#buffer = new Uint8Array(buffer, path, textLimit);
    }
    if (this.#result.buffer !== buffer || this.#result.byteOffset !== result) {
      this.#result = new Uint32Array(buffer, result);
    }
  }

  #rebuild(): void {
    this.#router = this.#instantiate();
    this.#view();
    for (const { method, pattern } of this.#inserted) this.#add(method, pattern);
  }
}

/** What `#write` returns instead of a length. */
const notAscii = -1;

/** The room of the module's buffer: `MAX_TEXT` of `router-wasm/src/path.rs`. */
const textLimit: number = pathLimit + 1024;

/** Spells a URL as `request.url` would: non-ASCII text escaped, lone surrogates replaced. */
function escapeNonAscii(url: string): string {
  return url.toWellFormed().replace(/[^\0-\x7f]+/g, encodeURIComponent);
}

/** Makes a matcher of its own instance of the router module. */
export function createWasmMatcher(
  module: WebAssembly.Module,
  options: MatcherOptions,
): RouteMatcher {
  return new WasmMatcher(module, options);
}
