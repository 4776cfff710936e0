import type { Random } from "../../../test/support/random.ts";

/** An input of the search: pieces that are repeated, in order, until they fill the allowed size. */
export type Genome = readonly Piece[];

export interface Piece {
  readonly text: string;
  readonly times: number;
}

/** Stands for a short word that no other input has. */
export const newWord = "{new}";

const mostPieces = 12;

export function createGenome(random: Random, createText: () => string): Genome {
  return random.list(1, 6, () => createPiece(random, createText));
}

function createPiece(random: Random, createText: () => string): Piece {
  return { text: createText(), times: random.pick([1, 1, 1, 2, 5, 50, 5_000]) };
}

/** Changes a piece or its number, adds or removes one, or moves two together. */
export function mutate(random: Random, genome: Genome, createText: () => string): Genome {
  const pieces = [...genome];
  const at = random.between(0, pieces.length - 1);
  const { text = "", times = 1 } = pieces[at] ?? {};
  const change = random.between(0, 4);
  if (change === 0) pieces[at] = createPiece(random, createText);
  else if (change === 1) pieces[at] = { text, times: random.pick([1, 2, 10, 100, 5_000]) };
  else if (change === 2) pieces.splice(at, 0, createPiece(random, createText));
  else if (change === 3 && pieces.length > 1) pieces.splice(at, 1);
  else pieces[at] = { text: text + createText(), times };
  return pieces.slice(0, mostPieces);
}

/** Joins the beginning of one genome and the end of another. */
export function cross(random: Random, one: Genome, other: Genome): Genome {
  const pieces = [
    ...one.slice(0, random.between(1, one.length)),
    ...other.slice(random.between(0, other.length - 1)),
  ];
  return pieces.slice(0, mostPieces);
}

/**
 * Writes the pieces until no further whole one fits.
 *
 * @param variant chooses the words of {@link newWord}
 */
export function writePieces(genome: Genome, length: number, variant: number): string[] {
  const written: string[] = [];
  let next = 46_656 + variant * 40_000;
  let size = 0;
  for (;;) {
    for (const { text, times } of genome) {
      for (let count = 0; count < times; count += 1) {
        const piece = text.includes(newWord)
          ? text.replaceAll(newWord, () => (next++).toString(36))
          : text;
        size += piece.length;
        if (size > length || piece === "") return written;
        written.push(piece);
      }
    }
  }
}
