import type { Random } from "../../../test/support/random.ts";

/** A place of a request whose content a client chooses. */
export interface SearchKind {
  readonly name: string;
  /** Characters of the content: nearly as many as the servers allow. */
  readonly length: number;
  /** True if the content is frames of a WebSocket, not a request. */
  readonly isFrames?: boolean;
  /** Creates a piece of hostile content. */
  createText(random: Random): string;
  /** Writes the content that usual clients send, repeated to the same length. */
  writeBenign(length: number, variant: number): readonly string[];
  /** Puts the content into a request, or returns the bytes of frames. */
  encode(pieces: readonly string[]): Uint8Array;
}
