import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

/** Opcodes of RFC 6455, section 5.2. */
export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame (RFC 6455, section 5.2). */
export interface Frame {
  readonly opcode: number;
  readonly payload?: Buffer;
  /** Default `true`. */
  readonly fin?: boolean;
  /** Reserved bits, 0 to 7; 4 is the compressed bit of RFC 7692. */
  readonly rsv?: number;
  /** Default `true`, as a client must. */
  readonly isMasked?: boolean;
  /** Payload length that the frame declares, if it is another than it has. */
  readonly declaredLength?: bigint;
}

/** Encodes a frame of a client. */
export function encodeFrame(frame: Frame): Buffer {
  const { opcode, payload = Buffer.alloc(0), fin = true, rsv = 0, isMasked = true } = frame;
  const maskBit = isMasked ? 0x80 : 0;
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const head = encodeHead(first, maskBit, frame.declaredLength ?? BigInt(payload.length));
  if (!isMasked) return Buffer.concat([head, payload]);
  const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
  const masked = Buffer.from(payload);
  for (let at = 0; at < masked.length; at += 1)
    masked[at] = (masked[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return Buffer.concat([head, mask, masked]);
}

function encodeHead(first: number, maskBit: number, length: bigint): Buffer {
  if (length < 126n) return Buffer.from([first, maskBit | Number(length)]);
  if (length < 65_536n) {
    const head = Buffer.from([first, maskBit | 126, 0, 0]);
    head.writeUInt16BE(Number(length), 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = maskBit | 127;
  head.writeBigUInt64BE(length, 2);
  return head;
}

/** A frame of the server, and where the next one starts. */
export interface DecodedFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly fin: boolean;
  readonly rsv: number;
  readonly end: number;
}

/**
 * Decodes the first frame of some bytes; undefined while it is incomplete.
 *
 * @throws if the server has sent what RFC 6455 forbids
 */
export function decodeFrame(bytes: Buffer): DecodedFrame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  if ((second & 0x80) !== 0) throw new Error("the server masks a frame");
  const short = second & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if ((short === 126 && length < 126) || (short === 127 && length < 65_536)) {
    throw new Error(`the server encodes the length ${length} in too many bytes`);
  }
  const end = start + length;
  if (bytes.length < end) return undefined;
  const [opcode, fin, rsv] = [first & 0x0f, (first & 0x80) !== 0, (first >> 4) & 7];
  if (opcode >= 8 && (!fin || length > 125))
    throw new Error("the server sends a bad control frame");
  return { opcode, payload: bytes.subarray(start, end), fin, rsv, end };
}

/** End of a message compressed with a sync flush, which RFC 7692 removes (section 7.2.1). */
const flushEnd = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/** Compresses a message on its own (RFC 7692, `client_no_context_takeover`). */
export function compress(payload: Buffer): Buffer {
  const compressed = deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH });
  return compressed.subarray(0, compressed.length - flushEnd.length);
}

/** Decompresses a message on its own (RFC 7692, `server_no_context_takeover`). */
export function decompress(payload: Buffer): Buffer {
  const whole = Buffer.concat([payload, flushEnd]);
  return inflateRawSync(whole, { finishFlush: constants.Z_SYNC_FLUSH });
}
