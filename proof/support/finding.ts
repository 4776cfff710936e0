/** Inputs that one part of a proof has tried, and its faults. */
export class Finding {
  readonly title: string;
  tried = 0;
  /** Number of times that something happened, by its name. */
  readonly counts: Map<string, number> = new Map();
  /** Kinds of faults, each with its first three inputs. */
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

  /** Records a fault unless `holds` is `true`. */
  check(holds: boolean, kind: string, input: string): void {
    if (!holds) this.fault(kind, input);
  }
}
