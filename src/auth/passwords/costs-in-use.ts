import { kindOfCost, type PasswordCost, remainingCost, workOf } from "./cost.ts";

/** The costs of the hashes of an application: the costliest of each kind. */
export class CostsInUse {
  /** Cost of new hashes. */
  readonly current: PasswordCost;
  readonly #costliest: Map<string, PasswordCost> = new Map();

  constructor(current: PasswordCost, previous: readonly PasswordCost[] = []) {
    this.current = current;
    for (const cost of [current, ...previous]) this.add(cost);
  }

  add(cost: PasswordCost): void {
    const kind = kindOfCost(cost);
    const known = this.#costliest.get(kind);
    if (known === undefined || workOf(known) < workOf(cost)) this.#costliest.set(kind, cost);
  }

  /**
   * Returns the costs that make the time of a verification the same for every hash: the sum of the
   * costliest of each kind.
   *
   * @param done cost that was spent already; undefined if there is no hash
   */
  remaining(done: PasswordCost | undefined): readonly PasswordCost[] {
    const kindDone = done === undefined ? undefined : kindOfCost(done);
    const remaining: PasswordCost[] = [];
    for (const [kind, costliest] of this.#costliest) {
      const cost = remainingCost(costliest, kind === kindDone ? done : undefined);
      if (cost !== undefined) remaining.push(cost);
    }
    return remaining;
  }
}
