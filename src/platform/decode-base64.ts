/** The platform's Base64 decoders, where available. */
interface Decoders {
  readonly Uint8Array: { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  readonly Buffer?: { from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer> };
}

/**
 * Decodes Base64 that the package itself ships, with the platform's decoder if available.
 *
 * At startup no code is compiled yet, so a loop over the characters of the router would take longer than
 * compiling it: it is the last resort.
 *
 * @throws Error for invalid Base64; Node's own decoder skips invalid characters
 */
export function decodeTrustedBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Uint8Array: bytes, Buffer: buffer } = globalThis as unknown as Decoders;
  if (bytes.fromBase64 !== undefined) return bytes.fromBase64(text);
  if (buffer !== undefined) return buffer.from(text, "base64");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
