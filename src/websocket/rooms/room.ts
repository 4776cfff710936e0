import type { BroadcastSubscription } from "../../broadcast/broadcast-types.ts";
import { describeError, type Logger } from "../../observability/logger.ts";
import { sendResult } from "../../platform/websocket/send-result.ts";
import { type Clock, sleep } from "../../util/clock.ts";
import { logSafely } from "../../util/log-safely.ts";
import { WebSocketConnection } from "../connection.ts";
import { RemoteMembers } from "./remote-members.ts";
import { fromContent, type RoomMessage, splitMembers } from "./room-messages.ts";
import type { RoomHandlers, RoomMember, RoomPresence } from "./room-types.ts";

/** Dependencies of a {@link Room}. */
export interface RoomOptions<Data> {
  readonly name: string;
  readonly handlers: RoomHandlers<Data>;
  /** Receives the errors of the presence handler. */
  readonly logger: Logger | undefined;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  subscribe(receive: (message: unknown) => void): BroadcastSubscription;
  publish(message: RoomMessage<Data>): Promise<void>;
}

interface LocalMember<Data> extends RoomMember<Data> {
  /** True once its joining was sent to other instances. */
  isAnnounced: boolean;
  /** Removes the listener of the connection's end. */
  readonly forget: () => void;
}

/** Time that other instances have to list their members, in milliseconds. */
const syncMs = 200;
/** Number of heartbeats without which an instance has ended. */
const missedHeartbeats = 3;
/** Time for which members are followed after they were asked for, in milliseconds. */
const watchMs = 60_000;

/** One room on one instance: its own members, and what it knows of those on others. */
export class Room<Data> {
  readonly #options: RoomOptions<Data>;
  /** Id of this instance in this room. Another room object counts its changes anew, so it has another id. */
  readonly #instance: string = crypto.randomUUID();
  readonly #local = new Map<WebSocketConnection, LocalMember<Data>>();
  readonly #remote: RemoteMembers<Data>;
  readonly #subscription: BroadcastSubscription;
  /** Resolves when messages of the room arrive. */
  readonly #ready: Promise<void>;
  /** Resolves when the members of other instances are known. */
  #synced: Promise<void> | undefined;
  #isSynced = false;
  #change = 0;
  /** The last message about members: they are sent one after the other, which keeps their order. */
  #sending: Promise<unknown> = Promise.resolve();
  #watchedUntilMs = 0;
  /** Number of calls of {@link members} in progress. */
  #asking = 0;
  #isStopped = false;

  constructor(options: RoomOptions<Data>) {
    this.#options = options;
    this.#remote = new RemoteMembers(
      (type, member, isListed) => {
        // Members that the first lists name have been there before.
        if (this.#isSynced || !isListed) this.#announce(type, member);
      },
      (to) => void this.#send({ type: "sync", from: this.#instance, to }).catch(() => {}),
    );
    // Unchecked cast: only rooms send under this name.
    this.#subscription = options.subscribe((message) =>
      this.#receive(message as RoomMessage<Data>),
    );
    this.#ready = this.#subscription.ready;
    this.#synchronise().catch(() => {});
  }

  /** False if nothing needs this room. */
  get isUsed(): boolean {
    const isWatched = this.#watchedUntilMs > this.#options.clock.now();
    return this.#local.size > 0 || this.#asking > 0 || isWatched;
  }

  /** Returns the member of a connection; undefined if it has not joined. */
  find(socket: WebSocketConnection): RoomMember<Data> | undefined {
    return this.#local.get(socket);
  }

  /** Adds a connection, which leaves when it is closed. Rejects if the adapter fails. */
  async join(socket: WebSocketConnection, data: Data): Promise<RoomMember<Data>> {
    const existing = this.#local.get(socket);
    if (existing !== undefined) return existing;
    const forget = WebSocketConnection.onClosed(socket, () => {
      // A failure is noticed by the heartbeat.
      this.leave(socket).catch(() => {});
    });
    const joinedAtMs = this.#options.clock.now();
    const member = { id: crypto.randomUUID(), data, joinedAtMs, isAnnounced: false, forget };
    if (!socket.isOpen) return member;
    this.#local.set(socket, member);
    try {
      await this.#ready;
      // It may have been closed meanwhile.
      if (this.#local.get(socket) === member) {
        member.isAnnounced = true;
        await this.#sendChange({ type: "joined", member: plain(member) });
      }
      return member;
    } catch (error) {
      this.#local.delete(socket);
      forget();
      // Others may have received it after all: they notice that a change is missing.
      this.#change += 1;
      throw error;
    }
  }

  /** Removes a connection. */
  async leave(socket: WebSocketConnection): Promise<void> {
    const member = this.#local.get(socket);
    if (member === undefined) return;
    this.#local.delete(socket);
    member.forget();
    if (!member.isAnnounced || this.#isStopped) return;
    try {
      await this.#sendChange({ type: "left", member: plain(member) });
    } catch (error) {
      this.#announce("left", member);
      throw error;
    }
  }

  /**
   * Returns the members on all instances.
   *
   * @param watches true to follow them for a while, so that the next call needs not ask for them
   */
  async members(watches: boolean): Promise<readonly RoomMember<Data>[]> {
    this.#asking += 1;
    try {
      await this.#synchronise();
    } finally {
      this.#asking -= 1;
    }
    if (watches) this.#watchedUntilMs = this.#options.clock.now() + watchMs;
    const members = [...this.#local.values(), ...this.#remote.all()].map(plain);
    return members.sort((one, other) => one.joinedAtMs - other.joinedAtMs);
  }

  /** Sends other instances a sign of life, and drops those that are silent. */
  beat(): void {
    const { clock, heartbeatMs } = this.#options;
    this.#remote.dropSilent(clock.now() - missedHeartbeats * heartbeatMs);
    if (this.#local.size === 0 || !this.#subscription.isShared) return;
    this.#send({ type: "alive", from: this.#instance, change: this.#change }).catch(() => {});
  }

  /** Sends other instances that the members of this one have left, and ends the subscription. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#subscription.unsubscribe();
    if (this.#change === 0) return;
    await this.#send({ type: "gone", from: this.#instance, change: this.#change }).catch(() => {});
  }

  /** Asks other instances for their members, once. */
  #synchronise(): Promise<void> {
    this.#synced ??= this.#requestMembers().catch((error: unknown) => {
      this.#synced = undefined;
      throw error;
    });
    return this.#synced;
  }

  async #requestMembers(): Promise<void> {
    await this.#ready;
    if (this.#subscription.isShared) {
      await this.#send({ type: "sync", from: this.#instance });
      await sleep(this.#options.clock, syncMs);
    }
    this.#isSynced = true;
  }

  #receive(message: RoomMessage<Data>): void {
    if (message.type === "data") {
      this.#deliver(message);
    } else if (message.from === this.#instance) {
      // When they come back, so that all instances announce in the same order.
      if (message.type === "joined" || message.type === "left") {
        this.#announce(message.type, message.member);
      }
    } else if (message.type !== "sync") {
      this.#remote.apply(message, this.#options.clock.now());
    } else if (message.to === undefined || message.to === this.#instance) {
      this.#sendMembers();
    }
  }

  #deliver({ content, except }: RoomMessage<Data> & { type: "data" }): void {
    const data = fromContent(content);
    for (const [socket, { id }] of this.#local) if (id !== except) sendSafely(socket, data);
  }

  #sendMembers(): void {
    if (this.#local.size === 0) return;
    const announced = [...this.#local.values()].filter(({ isAnnounced }) => isAnnounced).map(plain);
    const parts = splitMembers(announced);
    const from = this.#instance;
    for (const [index, members] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const change = this.#change;
      this.#send({ type: "members", from, change, members, isLast }).catch(() => {});
    }
  }

  #announce(type: RoomPresence["type"], member: RoomMember<Data>): void {
    const { handlers, logger, name: room } = this.#options;
    const count = this.#local.size + this.#remote.size;
    // An error here would keep other members of a list from being known, or end the process in a heartbeat.
    sendResult(
      () => handlers.presence?.({ type, room, member: plain(member), count }),
      (text) => {
        for (const socket of this.#local.keys()) sendSafely(socket, text);
      },
      (error) => {
        const fields = { room, error: describeError(error) };
        logSafely(logger, "error", "The presence handler of a room failed.", fields);
      },
    );
  }

  #sendChange(change: { type: "joined" | "left"; member: RoomMember<Data> }): Promise<void> {
    this.#change += 1;
    return this.#send({ ...change, from: this.#instance, change: this.#change });
  }

  #send(message: RoomMessage<Data>): Promise<void> {
    const sent = this.#sending.then(() => this.#options.publish(message));
    this.#sending = sent.catch(() => {});
    return sent;
  }
}

/** Returns a member as it is passed to handlers and other instances. */
function plain<Data>({ id, data, joinedAtMs }: RoomMember<Data>): RoomMember<Data> {
  return { id, data, joinedAtMs };
}

/** One connection that fails must not keep a message from others. */
function sendSafely(socket: WebSocketConnection, data: string | Uint8Array): void {
  try {
    socket.send(data);
  } catch {
    // It was cut off: its close event follows.
  }
}
