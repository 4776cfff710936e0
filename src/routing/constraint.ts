import {
  type ConstraintNode,
  ConstraintSyntaxError,
  parseConstraint,
} from "./constraint-syntax.ts";

export { ConstraintSyntaxError };

/** One instruction of a compiled constraint: consumes a character, or continues at one or two others. */
type Step =
  | { readonly kind: "character"; readonly accepts: (codePoint: number) => boolean }
  | { readonly kind: "jump"; readonly targets: readonly number[] }
  | { readonly kind: "accept" };

/**
 * Maximum number of characters in a constraint, with `{m,n}` expanded; each is tested per input character.
 */
const characterLimit = 64;

/**
 * The compiled form of a parameter's constraint: `\d+` in `/:id(\d+)`.
 *
 * All alternatives are simulated at once, one character after the other (Thompson's construction), so that
 * the time is linear in the length of the input for every expression: no ReDoS. It can be matched in both
 * directions, which segments with several parameters need.
 */
export class Constraint {
  readonly source: string;
  readonly #forward: readonly Step[];
  readonly #backward: readonly Step[];

  /** @throws ConstraintSyntaxError for anything beyond the regular subset */
  constructor(source: string) {
    const node = parseConstraint(source);
    this.source = source;
    this.#forward = compile(node, false, source);
    this.#backward = compile(node, true, source);
  }

  /** Returns whether the constraint matches the whole string; never called with an empty one. */
  accepts(text: string): boolean {
    const characters = Array.from(text, codePointOf);
    return this.endsFrom(characters, 0).at(-1) === characters.length;
  }

  /** Returns the end, in ascending order, of every non-empty match that begins at `start`. */
  endsFrom(characters: readonly number[], start: number): number[] {
    const ends: number[] = [];
    const run = new Simulation(this.#forward);
    run.enter();
    for (let at = start; at < characters.length && run.isAlive; at++) {
      if (run.read(characters[at] as number)) ends.push(at + 1);
    }
    return ends;
  }

  /** Returns for every position whether a non-empty match leads from it to one of `ends`. */
  startsOf(characters: readonly number[], ends: readonly boolean[]): boolean[] {
    const starts = new Array<boolean>(characters.length + 1).fill(false);
    const run = new Simulation(this.#backward);
    for (let at = characters.length; at > 0; at--) {
      if (ends[at] === true) run.enter();
      starts[at - 1] = run.read(characters[at - 1] as number);
    }
    return starts;
  }
}

/** The set of active states of the automaton. */
class Simulation {
  readonly #steps: readonly Step[];
  #active: Set<number> = new Set();

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  get isAlive(): boolean {
    return this.#active.size > 0;
  }

  /** Starts another match at this position, in parallel to those in progress. */
  enter(): void {
    this.#activate(0, this.#active);
  }

  /** Consumes one character; returns true if a match may end after it. */
  read(codePoint: number): boolean {
    const next = new Set<number>();
    for (const index of this.#active) {
      const step = this.#steps[index];
      if (step?.kind === "character" && step.accepts(codePoint)) this.#activate(index + 1, next);
    }
    this.#active = next;
    return next.has(this.#steps.length - 1);
  }

  /**
   * Activates a step and all steps reachable without input; iterative, since expressions may be deeply
   * nested.
   */
  #activate(first: number, into: Set<number>): void {
    const pending = [first];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (into.has(index)) continue;
      into.add(index);
      const step = this.#steps[index];
      if (step?.kind === "jump") pending.push(...step.targets);
    }
  }
}

function compile(root: ConstraintNode, reversed: boolean, source: string): Step[] {
  const steps: Step[] = [];
  let characters = 0;

  const emit = (step: Step): number => {
    if (step.kind === "character") characters++;
    if (characters > characterLimit) {
      const message =
        `the constraint (${source}) has more than ${characterLimit} characters once its counts ` +
        "are written out; use smaller counts in { }";
      throw new ConstraintSyntaxError(message, 0);
    }
    return steps.push(step) - 1;
  };

  const build = (node: ConstraintNode): void => {
    switch (node.kind) {
      case "character":
        emit({ kind: "character", accepts: node.accepts });
        return;
      case "sequence":
        for (const item of reversed ? node.items.toReversed() : node.items) build(item);
        return;
      case "alternatives":
        buildAlternatives(node.items);
        return;
      case "repeat":
        if (node.max === Number.POSITIVE_INFINITY) {
          for (let count = 1; count < node.min; count++) build(node.item);
          buildLoop(node.item, node.min === 0);
        } else {
          for (let count = 0; count < node.min; count++) build(node.item);
          for (let count = node.min; count < node.max; count++) buildOptional(node.item);
        }
    }
  };

  const buildAlternatives = (items: readonly ConstraintNode[]): void => {
    const fork = emit({ kind: "jump", targets: [] });
    const entries: number[] = [];
    const exits: number[] = [];
    for (const item of items) {
      entries.push(steps.length);
      build(item);
      exits.push(emit({ kind: "jump", targets: [] }));
    }
    steps[fork] = { kind: "jump", targets: entries };
    for (const exit of exits) steps[exit] = { kind: "jump", targets: [steps.length] };
  };

  const buildOptional = (item: ConstraintNode): void => {
    const fork = emit({ kind: "jump", targets: [] });
    build(item);
    steps[fork] = { kind: "jump", targets: [fork + 1, steps.length] };
  };

  const buildLoop = (item: ConstraintNode, maySkip: boolean): void => {
    const fork = emit({ kind: "jump", targets: [] });
    build(item);
    emit({ kind: "jump", targets: [fork + 1, steps.length + 1] });
    steps[fork] = { kind: "jump", targets: maySkip ? [fork + 1, steps.length] : [fork + 1] };
  };

  build(root);
  emit({ kind: "accept" });
  return steps;
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
