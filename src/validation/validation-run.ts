import type { FieldError } from "../http/http-error.ts";
import { NullObject } from "./null-object.ts";
import type { RuleNode } from "./rule-tree.ts";

/** What a validation comes to: the valid fields, or every field that is not. */
export type ValidationResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * When arrays are not walked any further, and no more errors are taken from schemas. The rules
 * bound how many other fields there are; a client that sends a million wrong elements is not to be
 * sent a million messages.
 */
export const maxErrors: number = 1000;

interface Failure extends FieldError {
  /**
   * Position of the rule; of two failures under one rule, the first to be looked at comes first.
   */
  readonly order: number;
  readonly turn: number;
}

const NO_TARGET: NullObject = /* @__PURE__ */ new NullObject();

/** One validation while it goes on: what failed, what is awaited. */
export class ValidationRun {
  /** Handed to `custom`. */
  readonly context: unknown;
  /** Whether the source being read knows strings only, so that they are coerced. */
  isText = false;
  /** What the fields of the source being read are put into. */
  target: NullObject = NO_TARGET;
  /** The index in each array that is being walked, outermost first. */
  readonly indexes: number[] = [];
  #failures: Failure[] | undefined;
  #awaited: Promise<void>[] | undefined;
  #turns = 0;

  constructor(context: unknown) {
    this.context = context;
  }

  get failureCount(): number {
    return this.#failures?.length ?? 0;
  }

  /** True once there is no point in looking for more errors. */
  get isFull(): boolean {
    return this.failureCount >= maxErrors;
  }

  /**
   * Records that `field` has failed. Returns undefined, which is the value of a field that is not
   * there.
   */
  fail(field: RuleNode, problem: string): undefined {
    const name = this.nameOf(field);
    this.#record(field.order, this.nextOrder(), name, field.rule?.message ?? `${name} ${problem}`);
  }

  /** Records errors that were found by somebody else. */
  failAll(errors: readonly FieldError[], order: number, turn: number): void {
    for (const { field, message } of errors) {
      if (!this.isFull) this.#record(order, turn, field, message);
    }
  }

  /** Keeps a place among the errors of a rule, for one that will be known later. */
  nextOrder(): number {
    this.#turns += 1;
    return this.#turns;
  }

  /** The name of `field` with the indexes of the moment: `items.3.id`. */
  nameOf(field: RuleNode): string {
    return field.segments.includes("*") ? this.pathOf(field).join(".") : field.name;
  }

  /** The same in parts. */
  pathOf(field: RuleNode): readonly string[] {
    let depth = 0;
    return field.segments.map((segment) => {
      if (segment !== "*") return segment;
      const index = this.indexes[depth];
      depth += 1;
      return String(index);
    });
  }

  /** Lets the result wait for `promise`. */
  wait(promise: Promise<void>): void {
    this.#awaited ??= [];
    this.#awaited.push(promise);
  }

  /** Called when a rule has thrown: nobody will look at the promises that are under way. */
  abandon(): void {
    for (const promise of this.#awaited ?? []) promise.catch(() => undefined);
  }

  /**
   * The result; a promise only if something has to be waited for.
   *
   * @param outcome holds the value, which what is awaited may still replace
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
