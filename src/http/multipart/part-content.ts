type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the pieces of a content as one array: the only piece itself, or a new array. */
export function joinPieces(pieces: readonly Bytes[]): Bytes {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Creates a file of the pieces of a content, which are copied. */
export function createFile(pieces: readonly Bytes[], filename: string, type: string): File {
  const file = new File([...pieces], filename, { type });
  // Bun adds a charset to text types.
  if (file.type !== type) Object.defineProperty(file, "type", { value: type });
  return file;
}
