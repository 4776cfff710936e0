const maxBytes = 1024 * 1024;

/** File signatures by type. */
const signatures: ReadonlyMap<string, readonly number[]> = new Map([
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
]);

/**
 * A rule for files: a PNG or JPEG of at most 1 MiB. Checks the file's signature, because the type is
 * declared by the client.
 */
export async function isPicture(value: unknown): Promise<true | string> {
  if (!(value instanceof File)) return "picture must be a file";
  if (value.size > maxBytes) return `picture must not exceed ${maxBytes} bytes`;
  const signature = signatures.get(value.type);
  if (signature === undefined) return "picture must be image/png or image/jpeg";
  const start = new Uint8Array(await value.slice(0, signature.length).arrayBuffer());
  return signature.every((byte, i) => start[i] === byte) || `picture is not a valid ${value.type}`;
}
