/** A server that a request may need. */
export type Server = "redis" | "postgres";

/** A time in which a server did not respond, or lost its connections; milliseconds since the epoch. */
export interface Absence {
  readonly server: Server;
  readonly kind: string;
  readonly beganAt: number;
  /** Infinity while the server is away. */
  backAt: number;
}

/** Time after the return of a server in which a response may still be 503, in milliseconds. */
export const recoveryMs = 10_000;

/** Records when servers were away, and judges by it which responses may fail. */
export class Availability {
  /** Longest time from the return of a server to the last 503 because of it, by the kind of its absence. */
  readonly recoveries: Map<string, number> = new Map();
  readonly #absences: Absence[] = [];

  begin(server: Server, kind: string): Absence {
    const absence = { server, kind, beganAt: Date.now(), backAt: Number.POSITIVE_INFINITY };
    this.#absences.push(absence);
    return absence;
  }

  /** Returns true if a server was away, or had just returned, at any time between two. */
  mayFail(server: Server, from: number, to: number): boolean {
    return this.#absences.some(
      (absence) =>
        absence.server === server && absence.beganAt <= to && from <= absence.backAt + recoveryMs,
    );
  }

  /** Records a 503 because of a server. */
  failed(server: Server, at: number): void {
    const absence = this.#absences.findLast((one) => one.server === server && one.beganAt <= at);
    if (absence === undefined || at < absence.backAt) return;
    const longest = this.recoveries.get(absence.kind) ?? 0;
    this.recoveries.set(absence.kind, Math.max(longest, at - absence.backAt));
  }
}
