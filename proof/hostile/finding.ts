/** What one proof has tried, and what was wrong. */
export class Finding {
  readonly title: string;
  tried = 0;
  /** How often something happened that is worth a number, by its name. */
  readonly counts: Map<string, number> = new Map();
  /** Kinds of faults, with the first inputs of each. */
  readonly faults: Map<string, string[]> = new Map();

  constructor(title: string) {
    this.title = title;
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  fault(kind: string, input: string): void {
    this.count(`FAULT ${kind}`);
    const inputs = this.faults.get(kind) ?? [];
    if (inputs.length < 3) inputs.push(input);
    this.faults.set(kind, inputs);
  }

  /** Notes a fault unless it holds. */
  check(holds: boolean, kind: string, input: string): void {
    if (!holds) this.fault(kind, input);
  }

  toString(): string {
    const counts = [...this.counts].map(([name, count]) => `${name}: ${count}`).join(", ");
    const faults = [...this.faults].flatMap(([kind, inputs]) =>
      inputs.map((input) => `\n  FAULT ${kind}: ${input}`),
    );
    return `${this.title}: ${this.tried} tried. ${counts}${faults.join("")}`;
  }
}
