/** Number of characters after the first slash of a path that are compared. */
const comparedCharacters = 3;

/** Characters with a place in the table: ASCII, as in the URL of any request. */
const asciiCharacters = 128;

/** Distinct first segments share bits beyond this number. */
const bits = 32;

/** Length up to which a path is within the limit, even if each character is escaped. */
const longestCompared = 1_800;

const percent = 0x25;

/** A first segment whose text is its only spelling without escapes. */
const plainBeginning = /^\/([\w.~-]*)(?:\/|$)/;

/**
 * Recognises paths that no pattern begins like, by the first three characters. Most requests for unknown paths,
 * such as those of scanners, are rejected before anything is copied into the module.
 *
 * Each first segment of a pattern has a bit, which is set for the characters that it allows at a position. A path
 * can only match a segment whose bit is set at all three.
 */
export class FrontFilter {
  readonly #allowed = new Int32Array(comparedCharacters * asciiCharacters);
  readonly #known = new Set<string>();

  /** Learns how the paths of a pattern begin. */
  add(pattern: string): void {
    const text = plainBeginning.exec(pattern)?.[1];
    if (text === undefined) {
      // A parameter or an escape: any path may match.
      this.#allowed.fill(-1);
      return;
    }
    if (this.#known.has(text)) return;
    const bit = 1 << (this.#known.size % bits);
    this.#known.add(text);
    for (let position = 0; position < comparedCharacters; position++) {
      if (position < text.length) this.#allow(position, text.charCodeAt(position), bit);
      else if (position === text.length)
        for (const end of "/?#") this.#allow(position, end.charCodeAt(0), bit);
      else for (let code = 0; code < asciiCharacters; code++) this.#allow(position, code, bit);
    }
  }

  /**
   * Returns true if no pattern matches the path of a URL; false if one may.
   *
   * @param start index of the first slash of the path
   */
  rejects(url: string, start: number): boolean {
    const { length } = url;
    if (length <= start + comparedCharacters || length > start + longestCompared) return false;
    const first = url.charCodeAt(start + 1);
    const second = url.charCodeAt(start + 2);
    const third = url.charCodeAt(start + 3);
    if ((first | second | third) >= asciiCharacters) return false;
    const allowed = this.#allowed;
    const common =
      (allowed[first] as number) &
      (allowed[asciiCharacters + second] as number) &
      (allowed[2 * asciiCharacters + third] as number); // indexes of the table
    // An escape may spell a character of a pattern.
    return common === 0 && first !== percent && second !== percent && third !== percent;
  }

  #allow(position: number, code: number, bit: number): void {
    const index = position * asciiCharacters + code;
    this.#allowed[index] = (this.#allowed[index] as number) | bit; // an index of the table
  }
}
