/** Fake of a platform's WebSocket: records calls, and emits the test's events. */
export class FakeSocket {
  binaryType = "blob";
  bufferedAmount: number | undefined;
  readonly calls: (readonly [name: string, ...given: unknown[]])[] = [];
  readonly #listeners = new Map<string, ((event: never) => void)[]>();

  accept(): void {
    this.calls.push(["accept"]);
  }

  send(data: unknown): void {
    this.calls.push(["send", data]);
  }

  close(code?: number, reason?: string): void {
    this.calls.push(["close", code, reason]);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  emit(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }
}
