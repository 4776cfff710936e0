import type { FieldError } from "../http/http-error.ts";
import { NullObject } from "./null-object.ts";
import type { RuleNode } from "./rule-tree.ts";

/** Result of a validation: the valid fields, or the errors of all invalid ones. */
export type ValidationResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Maximum number of errors: arrays are not checked further, and further errors of schemas are dropped.
 * The rules bound the number of other fields; without a limit, a client that sends a million invalid
 * elements would receive a million messages.
 */
export const maxErrors: number = 1000;

interface Failure extends FieldError {
  /**
   * Position of the rule; two failures of one rule are sorted by the order of their checks.
   */
  readonly order: number;
  readonly turn: number;
}

const noTarget: NullObject = /* @__PURE__ */ new NullObject();

/** State of one validation in progress: its failures and pending promises. */
export class ValidationRun {
  /** Passed to `custom`. */
  readonly context: unknown;
  /** True if the current source contains only strings, which are then coerced. */
  isText = false;
  /** Object that receives the validated fields of the current source. */
  target: NullObject = noTarget;
  /** Current index in each array being checked, outermost first. */
  readonly indexes: number[] = [];
  #failures: Failure[] | undefined;
  #awaited: Promise<void>[] | undefined;
  #turns = 0;

  /** Keeps the shape of the instances: see {@link RequestContext.internalSample}. */
  static readonly sample: object = /* @__PURE__ */ new ValidationRun(undefined);

  constructor(context: unknown) {
    this.context = context;
  }

  get failureCount(): number {
    return this.#failures?.length ?? 0;
  }

  /** True once the maximum number of errors is reached. */
  get isFull(): boolean {
    return this.failureCount >= maxErrors;
  }

  /**
   * Records that `field` has failed. Returns undefined, the value of a missing field.
   */
  fail(field: RuleNode, problem: string): undefined {
    const name = this.nameOf(field);
    this.#record(field.order, this.nextOrder(), name, field.rule?.message ?? `${name} ${problem}`);
  }

  /** Records errors of a schema or a `custom`. */
  failAll(errors: readonly FieldError[], order: number, turn: number): void {
    for (const { field, message } of errors) {
      if (!this.isFull) this.#record(order, turn, field, message);
    }
  }

  /** Reserves a position among the errors of a rule, for an asynchronous error. */
  nextOrder(): number {
    this.#turns += 1;
    return this.#turns;
  }

  /** Returns the name of `field` with the current indexes: `items.3.id`. */
  nameOf(field: RuleNode): string {
    return field.segments.includes("*") ? this.pathOf(field).join(".") : field.name;
  }

  /** Returns the segments of {@link nameOf}. */
  pathOf(field: RuleNode): readonly string[] {
    let depth = 0;
    return field.segments.map((segment) => {
      if (segment !== "*") return segment;
      const index = this.indexes[depth];
      depth += 1;
      return String(index);
    });
  }

  /** Makes the result wait for `promise`. */
  wait(promise: Promise<void>): void {
    this.#awaited ??= [];
    this.#awaited.push(promise);
  }

  /** Called when a rule has thrown: pending promises need a handler, or they reject unhandled. */
  abandon(): void {
    for (const promise of this.#awaited ?? []) promise.catch(() => undefined);
  }

  /**
   * Returns the result; a promise only if there are pending promises.
   *
   * @param outcome holds the value, which pending promises may still replace
   */
  finish(outcome: { readonly value: unknown }): ValidationResult | Promise<ValidationResult> {
    if (this.#awaited === undefined) return this.#settle(outcome.value);
    return Promise.all(this.#awaited).then(() => this.#settle(outcome.value));
  }

  #settle(value: unknown): ValidationResult {
    const failures = this.#failures;
    if (failures === undefined) return { ok: true, value };
    failures.sort((a, b) => a.order - b.order || a.turn - b.turn);
    return { ok: false, errors: failures.map(({ field, message }) => ({ field, message })) };
  }

  #record(order: number, turn: number, field: string, message: string): void {
    this.#failures ??= [];
    this.#failures.push({ order, turn, field, message });
  }
}
