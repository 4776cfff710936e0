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

/** Time in which a process of the application ended; milliseconds since the epoch. */
export interface Ending {
  readonly beganAt: number;
  /** Infinity while the process is ending. */
  endedAt: number;
}

/** Records when servers were away and processes ended, and judges by it which responses may fail. */
export class Availability {
  /** Longest time from the return of a server to the last 503 because of it, by the kind of its absence. */
  readonly recoveries: Map<string, number> = new Map();
  readonly #absences: Absence[] = [];
  readonly #endings: Ending[] = [];

  begin(server: Server, kind: string): Absence {
    const absence = { server, kind, beganAt: Date.now(), backAt: Number.POSITIVE_INFINITY };
    this.#absences.push(absence);
    return absence;
  }

  /** Records that a process has been asked to end. */
  beginEnd(): Ending {
    const ending = { beganAt: Date.now(), endedAt: Number.POSITIVE_INFINITY };
    this.#endings.push(ending);
    return ending;
  }

  /**
   * Returns true if a process was ending at any time between two. A proxy may then send a request on a connection that is just
   * being closed because it is idle, and repeats it only if its method is idempotent (RFC 9110, section 9.2.2).
   */
  mayCutPost(from: number, to: number): boolean {
    return this.#endings.some(({ beganAt, endedAt }) => beganAt <= to && from <= endedAt);
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
