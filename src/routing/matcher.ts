import { detectRuntime } from "#host";
import { FrontFilter } from "./front-filter.ts";
import { duplicate, reasons } from "./pattern-reasons.ts";
import { escapeNonAscii, isPathTooLong, pathLimit } from "./request-path.ts";
import {
  type MatcherOptions,
  type MatchStatus,
  PatternError,
  RouteMatch,
  type RouteMatcher,
} from "./route-match.ts";
import { namesOfPlain, namesOfVariants, type Parameter } from "./variant-names.ts";

/** Exports of the WebAssembly module; `router-wasm/src/abi.rs` describes each. */
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

/** Method numbers, as defined in `router-wasm/src/find.rs`. */
const getMethod = 0;
const headMethod = 1;
const allMethod = 2;
const unknownMethod = -1;
const anyMethod = -2;

const nothing: readonly string[] = [];

/** Capacity of the module's buffer: `MAX_TEXT` of `router-wasm/src/path.rs`. */
const textLimit: number = pathLimit + 1024;

/** The longest origin that leaves enough room in the buffer to detect a path over the limit. */
const originLimit = 1000;

/**
 * The URL length from which `encodeInto` is faster than a loop. Its cost is constant, 40 ns in Node and 130
 * ns in workerd; the loop costs about 1.4 ns per character.
 */
const shortestToEncode: number = detectRuntime() === "workerd" ? 160 : 48;

/**
 * Matcher based on the Rust trie of `router-wasm`, with one module instance per matcher.
 *
 * Writes a URL into the instance's memory and reads integers back: the matched route and the positions of the
 * values. A match allocates nothing in the module.
 */
class WasmMatcher implements RouteMatcher {
  readonly engine = "wasm";
  readonly #module: WebAssembly.Module;
  readonly #options: MatcherOptions;
  /**
   * The routes for a new instance, as two arrays: a thousand small objects would burden the garbage
   * collector.
   */
  readonly #patterns: string[] = [];
  readonly #methodsOfRoutes: string[] = [];
  readonly #methods = new Map<string, number>();
  /** Route index of each answer ID. */
  readonly #routesOfAnswers: number[] = [];
  /** Names of the parameters with a value, in pattern order, of each answer ID. */
  readonly #namesOfAnswers: (readonly string[])[] = [];
  readonly #nameLists = new Map<string, readonly string[]>();
  /** All requests without a route share one match. */
  readonly #notFound: RouteMatch = RouteMatch.failed(404);
  readonly #front = new FrontFilter();
  readonly #encoder = new TextEncoder();
  #router: RouterExports;
  #buffer: Uint8Array;
  /** Start of the last URL's path, followed by the spans of the values. */
  #result: Int32Array;
  /** The largest number of parameters of a pattern: the module reserves as many results. */
  #mostParameters = 0;

  constructor(module: WebAssembly.Module, options: MatcherOptions) {
    this.#module = module;
    this.#options = options;
    this.#methods.set("GET", getMethod).set("HEAD", headMethod).set("ALL", allMethod);
    this.#router = this.#instantiate();
    this.#buffer = new Uint8Array();
    this.#result = new Int32Array();
    this.#view();
  }

  insert(method: string, pattern: string): readonly string[] {
    this.#add(method, pattern);
    this.#front.add(pattern);
    const route = this.#patterns.push(pattern) - 1;
    this.#methodsOfRoutes.push(method);
    const names = namesOfPlain(pattern);
    const all =
      names === undefined ? this.#addVariants(route, pattern) : this.#answer(route, names);
    if (all.length > this.#mostParameters) {
      this.#mostParameters = all.length;
      this.#view();
    }
    return all;
  }

  truncate(count: number): void {
    const answers = this.#routesOfAnswers.findIndex((route) => route >= count);
    if (answers === -1) return;
    this.#routesOfAnswers.length = answers;
    this.#namesOfAnswers.length = answers;
    this.#patterns.length = count;
    this.#methodsOfRoutes.length = count;
    this.#rebuild();
  }

  /**
   * Registers all variants of a pattern; returns the parameter names of the first, which includes all of
   * them.
   */
  #addVariants(route: number, pattern: string): readonly string[] {
    const variants = namesOfVariants(this.#parameters(pattern));
    const [all] = variants.map((names) => this.#answer(route, names));
    return all ?? nothing;
  }

  #answer(route: number, names: readonly string[]): readonly string[] {
    const shared = this.#shared(names);
    this.#routesOfAnswers.push(route);
    this.#namesOfAnswers.push(shared);
    return shared;
  }

  find(method: string, url: string): RouteMatch {
    const start = url.indexOf("/", originStart);
    if (start === -1 || this.#front.rejects(url, start)) return this.#notFound;
    const number = method === "GET" ? getMethod : (this.#methods.get(method) ?? unknownMethod);
    const answer = this.#search(number, url, start);
    if (answer === unusual) return this.find(method, usualSpelling(url));
    if (answer < 0) return this.#failed(answer, url);
    return RouteMatch.located(
      this.#routesOfAnswers[answer] as number, // one for each answer
      this.#namesOfAnswers[answer] as readonly string[],
      url,
      this.#result,
    );
  }

  allowedMethods(url: string): readonly string[] {
    const start = url.indexOf("/", originStart);
    if (start === -1 || this.#front.rejects(url, start)) return nothing;
    const answer = this.#search(anyMethod, url, start);
    if (answer === unusual) return this.allowedMethods(usualSpelling(url));
    return answer === -405 ? this.#allowed() : nothing;
  }

  /** Returns the module's answer for a URL, or `unusual`. */
  #search(method: number, url: string, start: number): number {
    const end = this.#write(url, start);
    if (end === unusual) return unusual;
    try {
      return this.#router.find(method, start, end);
    } catch {
      // The module has trapped: a new instance with the same routes repeats the search.
      this.#rebuild();
      return this.#router.find(method, start, this.#write(url, start));
    }
  }

  /** Copies a URL into the module, at least its path; returns the end of the copy, or `unusual`. */
  #write(url: string, start: number): number {
    const { length } = url;
    if (start > originLimit) return unusual;
    if (length >= shortestToEncode && length <= textLimit) {
      const { written } = this.#encoder.encodeInto(url, this.#buffer);
      return written === length ? length : unusual;
    }
    const buffer = this.#buffer;
    const end = Math.min(length, textLimit);
    let seen = 0;
    let at = start;
    for (; at + 3 < end; at += 4) {
      const first = url.charCodeAt(at);
      const second = url.charCodeAt(at + 1);
      const third = url.charCodeAt(at + 2);
      const fourth = url.charCodeAt(at + 3);
      buffer[at] = first;
      buffer[at + 1] = second;
      buffer[at + 2] = third;
      buffer[at + 3] = fourth;
      seen |= first | second | third | fourth;
    }
    for (; at < end; at++) {
      const code = url.charCodeAt(at);
      buffer[at] = code;
      seen |= code;
    }
    return seen > 127 ? unusual : end;
  }

  #failed(answer: number, url: string): RouteMatch {
    // Without routes the module does not measure the path.
    if (this.#patterns.length === 0 && isPathTooLong(url)) return RouteMatch.failed(414);
    if (answer === -404) return this.#notFound;
    const status = -answer as MatchStatus; // an answer below zero is one of these statuses
    return RouteMatch.failed(status, status === 405 ? this.#allowed() : nothing);
  }

  /** Returns the methods registered for the last path. */
  #allowed(): readonly string[] {
    const router = this.#router;
    const allowed = [...this.#methods]
      .filter(([, number]) => router.allows(number) !== 0)
      .map(([method]) => method);
    if (allowed.includes("GET") && !allowed.includes("HEAD")) allowed.push("HEAD");
    return allowed.sort();
  }

  /** Adds a route to the module, which numbers its answers in insertion order. */
  #add(method: string, pattern: string): void {
    const { read, written } = this.#encoder.encodeInto(pattern, this.#buffer);
    const known = this.#methods.get(method);
    const number = known ?? this.#methods.size;
    let answer: number;
    try {
      answer = this.#router.insert(number, read === pattern.length ? written : textLimit);
    } catch {
      this.#rebuild();
      throw new PatternError("invalid-pattern", "the platform has no more memory for the router");
    }
    // Growing the memory detaches the old buffer, whose contents are lost.
    if (this.#buffer.length === 0) this.#view();
    if (answer < 0) throw this.#refusal(-answer, pattern);
    if (known === undefined) this.#methods.set(method, number);
  }

  #refusal(reason: number, pattern: string): PatternError {
    const message = reasons[reason] ?? "the router refuses the pattern";
    const position = this.#router.position();
    if (reason === duplicate) return new PatternError("duplicate", message, { conflict: position });
    const at = textOf(this.#buffer, 0, position, pattern).length;
    const sentence = `The pattern ${pattern || '""'} is invalid: ${message} (position ${at}).`;
    return new PatternError("invalid-pattern", sentence, { position: at });
  }

  /** Shares one array between all routes with the same parameter names: it stays in the CPU cache. */
  #shared(names: readonly string[]): readonly string[] {
    const key = names.join("/");
    const known = this.#nameLists.get(key);
    if (known !== undefined) return known;
    this.#nameLists.set(key, names);
    return names;
  }

  /** Reads the parameters of the last pattern, which is still in the buffer. */
  #parameters(pattern: string): Parameter[] {
    const parameters: Parameter[] = [];
    const count = this.#router.parameters();
    for (let index = 0; index < count; index++) {
      const span = this.#router.parameter(index);
      const start = (span >>> 15) + 1;
      const name = textOf(this.#buffer, start, start + ((span >>> 1) & 0x3fff), pattern);
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

  /** Refreshes the memory views: memory.grow() detaches them. */
  #view(): void {
    const { buffer } = this.#router.memory;
    const result = this.#router.result();
    if (this.#result.buffer === buffer && this.#result.byteOffset === result) return;
    this.#buffer = new Uint8Array(buffer, this.#router.buffer(), textLimit);
    this.#result = new Int32Array(buffer, result);
  }

  #rebuild(): void {
    this.#router = this.#instantiate();
    this.#view();
    for (const [route, pattern] of this.#patterns.entries()) {
      this.#add(this.#methodsOfRoutes[route] as string, pattern); // they grow together
    }
    this.#view();
  }
}

/** The end of `http://`, the shortest beginning of a URL: its path begins no earlier. */
const originStart = 8;

/** Returned by `#write` and `#search` instead of a length or an answer: the URL has to be normalised first. */
const unusual = -1;

/**
 * Decodes bytes of the buffer, which holds `pattern`: up to the first non-ASCII byte, offsets are the same.
 */
function textOf(buffer: Uint8Array, start: number, end: number, pattern: string): string {
  for (let at = 0; at < end; at++) {
    if ((buffer[at] as number) > 127) return new TextDecoder().decode(buffer.subarray(start, end));
  }
  return pattern.slice(start, end);
}

/**
 * Normalises a URL as `request.url` would. The origin is replaced, since matching ignores it and a very long
 * one would leave no room for the path.
 */
function usualSpelling(url: string): string {
  const start = url.indexOf("/", originStart);
  return `http://h${start === -1 ? "" : escapeNonAscii(url.slice(start))}`;
}

/** Creates a matcher with a separate instance of the router module. */
export function createWasmMatcher(
  module: WebAssembly.Module,
  options: MatcherOptions,
): RouteMatcher {
  return new WasmMatcher(module, options);
}
