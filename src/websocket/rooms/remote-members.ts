import type { PresenceMessage } from "./room-messages.ts";
import type { RoomMember, RoomPresence } from "./room-types.ts";

/** The members of a room on another instance. */
interface RemoteInstance<Data> {
  members: Map<string, RoomMember<Data>>;
  /** Number of the last change that is known. */
  change: number;
  seenAtMs: number;
  /** Parts of a list that has not ended. */
  incoming: RoomMember<Data>[];
}

/** Change of a member of another instance. */
type Report<Data> = (
  type: RoomPresence["type"],
  member: RoomMember<Data>,
  isListed: boolean,
) => void;

/** The members of one room on other instances, according to their messages. */
export class RemoteMembers<Data> {
  readonly #instances = new Map<string, RemoteInstance<Data>>();
  readonly #report: Report<Data>;
  readonly #requestMembers: (instance: string) => void;

  /**
   * @param report called for each member that has joined or left; `isListed` if only a list of members has shown it
   * @param requestMembers called when a message of an instance was lost
   */
  constructor(report: Report<Data>, requestMembers: (instance: string) => void) {
    this.#report = report;
    this.#requestMembers = requestMembers;
  }

  /** Number of members. */
  get size(): number {
    let size = 0;
    for (const { members } of this.#instances.values()) size += members.size;
    return size;
  }

  /** The members. */
  *all(): Generator<RoomMember<Data>> {
    for (const { members } of this.#instances.values()) yield* members.values();
  }

  /** Applies a message of another instance. */
  apply(message: PresenceMessage<Data>, nowMs: number): void {
    if (message.type === "gone") {
      this.#drop(message.from);
      return;
    }
    const instance = this.#instanceOf(message.from);
    instance.seenAtMs = nowMs;
    if (message.type === "members") {
      this.#replace(instance, message);
      return;
    }
    const isChange = message.type !== "alive";
    const expected = instance.change + (isChange ? 1 : 0);
    instance.change = message.change;
    if (message.type === "joined") this.#add(instance, message.member, false);
    if (message.type === "left") this.#remove(instance, message.member.id);
    if (message.change !== expected) this.#requestMembers(message.from);
  }

  /** Removes the members of instances that have been silent since `sinceMs`. */
  dropSilent(sinceMs: number): void {
    for (const [id, { seenAtMs }] of this.#instances) if (seenAtMs < sinceMs) this.#drop(id);
  }

  #instanceOf(id: string): RemoteInstance<Data> {
    const known = this.#instances.get(id);
    if (known !== undefined) return known;
    const instance = { members: new Map(), change: 0, seenAtMs: 0, incoming: [] };
    this.#instances.set(id, instance);
    return instance;
  }

  #replace(
    instance: RemoteInstance<Data>,
    message: PresenceMessage<Data> & { type: "members" },
  ): void {
    instance.incoming.push(...message.members);
    if (!message.isLast) return;
    const listed = new Map(instance.incoming.map((member) => [member.id, member]));
    instance.incoming = [];
    instance.change = message.change;
    for (const id of [...instance.members.keys()]) if (!listed.has(id)) this.#remove(instance, id);
    for (const member of listed.values()) this.#add(instance, member, true);
  }

  #add({ members }: RemoteInstance<Data>, member: RoomMember<Data>, isListed: boolean): void {
    if (members.has(member.id)) return;
    members.set(member.id, member);
    this.#report("joined", member, isListed);
  }

  #remove({ members }: RemoteInstance<Data>, id: string): void {
    const member = members.get(id);
    if (member === undefined) return;
    members.delete(id);
    this.#report("left", member, false);
  }

  #drop(id: string): void {
    const instance = this.#instances.get(id);
    if (instance === undefined) return;
    this.#instances.delete(id);
    for (const member of [...instance.members.keys()]) this.#remove(instance, member);
  }
}
