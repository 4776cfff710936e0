import { type CharacterTest, escapedClass, isLineTerminator } from "./character-class.ts";

/** Syntax tree of a constraint. */
export type ConstraintNode =
  | { readonly kind: "character"; readonly accepts: CharacterTest }
  | { readonly kind: "sequence"; readonly items: readonly ConstraintNode[] }
  | { readonly kind: "alternatives"; readonly items: readonly ConstraintNode[] }
  | {
      readonly kind: "repeat";
      readonly item: ConstraintNode;
      readonly min: number;
      /** `Infinity` without an upper bound. */
      readonly max: number;
    };

/** A constraint outside the supported subset, with the index of the unsupported syntax. */
export class ConstraintSyntaxError extends Error {
  override readonly name: string = "ConstraintSyntaxError";
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** The largest count in `{m,n}`: a repeated part is compiled that many times. */
const repeatLimit = 64;

const singleEscapes: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
  ["0", 0x00],
]);

/**
 * Parses the supported subset of regular expressions: classes, groups, `|`, `? * + {m,n}` and escapes.
 *
 * Refuses everything that a linear-time automaton cannot match (lookaround, backreferences, `\b`). A leading
 * `^` and a trailing `$` have no effect, since a constraint is matched against the whole value.
 *
 * @throws ConstraintSyntaxError
 */
export function parseConstraint(source: string): ConstraintNode {
  const reader = new ConstraintReader(source);
  const node = reader.readAlternatives(true);
  reader.expectEnd();
  return node;
}

class ConstraintReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  expectEnd(): void {
    if (this.#at < this.#source.length) throw this.#error("an unmatched )");
  }

  readAlternatives(outermost: boolean): ConstraintNode {
    const items = [this.#readSequence(outermost)];
    while (this.#take("|")) items.push(this.#readSequence(outermost));
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: "alternatives", items };
  }

  #readSequence(outermost: boolean): ConstraintNode {
    const items: ConstraintNode[] = [];
    if (outermost) this.#take("^");
    while (this.#at < this.#source.length && !this.#isNext("|") && !this.#isNext(")")) {
      if (outermost && this.#isNext("$") && this.#isEndOfAlternative(this.#at + 1)) {
        this.#at++;
        break;
      }
      items.push(this.#readRepeats(this.#readAtom()));
    }
    return { kind: "sequence", items };
  }

  #readAtom(): ConstraintNode {
    const character = this.#peek();
    switch (character) {
      case "(":
        return this.#readGroup();
      case "[":
        return { kind: "character", accepts: this.#readClass() };
      case ".":
        this.#at++;
        return { kind: "character", accepts: (codePoint) => !isLineTerminator(codePoint) };
      case "\\": {
        const read = this.#readEscape();
        return { kind: "character", accepts: typeof read === "number" ? equals(read) : read };
      }
      case "?":
      case "*":
      case "+":
        throw this.#error(`a ${character} with nothing before it to repeat`);
      case "^":
      case "$":
        throw this.#error(`a ${character} inside (the value is always tested whole; leave it out)`);
      case "{":
      case "}":
      case "]":
        throw this.#error(`a bare ${character} (write \\${character} for the character)`);
      default:
        this.#at += character.length;
        return { kind: "character", accepts: equals(character.codePointAt(0) ?? 0) };
    }
  }

  #readGroup(): ConstraintNode {
    const start = this.#at;
    this.#at++;
    if (this.#take("?")) {
      const named = /^<(?!\d)[\w$\u0080-\uffff]+>/.exec(this.#source.slice(this.#at));
      if (named !== null) this.#at += named[0].length;
      else if (!this.#take(":")) {
        throw this.#error(
          "a lookaround, which linear-time matching does not support (groups are ( ) and (?: ))",
          start,
        );
      }
    }
    const node = this.readAlternatives(false);
    if (!this.#take(")")) throw this.#error("an unclosed (", start);
    return node;
  }

  #readRepeats(item: ConstraintNode): ConstraintNode {
    const range = this.#readRepeatRange();
    if (range === undefined) return item;
    // Lazy and greedy are equivalent when the whole value has to match.
    this.#take("?");
    if (this.#isNext("?") || this.#isNext("*") || this.#isNext("+") || this.#isNext("{")) {
      throw this.#error("one repetition directly after another (put the first into a group)");
    }
    return { kind: "repeat", item, min: range[0], max: range[1] };
  }

  #readRepeatRange(): readonly [min: number, max: number] | undefined {
    if (this.#take("?")) return [0, 1];
    if (this.#take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#take("+")) return [1, Number.POSITIVE_INFINITY];
    if (!this.#isNext("{")) return undefined;

    const counts = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at));
    if (counts === null) throw this.#error("a { that does not start {m}, {m,} or {m,n}");
    const min = Number(counts[1]);
    const max =
      counts[2] === undefined
        ? min
        : counts[3] === ""
          ? Number.POSITIVE_INFINITY
          : Number(counts[3]);
    if (max < min) throw this.#error(`${counts[0]}, whose bounds are in the wrong order`);
    if (Math.max(min, Number.isFinite(max) ? max : 0) > repeatLimit) {
      throw this.#error(`${counts[0]}, which repeats more than ${repeatLimit} times`);
    }
    this.#at += counts[0].length;
    return [min, max];
  }

  #readClass(): CharacterTest {
    const start = this.#at;
    this.#at++;
    const negated = this.#take("^");
    if (this.#isNext("]")) throw this.#error("an empty class [ ]", start);
    const tests: CharacterTest[] = [];
    while (!this.#isNext("]")) {
      if (this.#at >= this.#source.length) throw this.#error("an unclosed [", start);
      tests.push(this.#readClassItem());
    }
    this.#at++;
    const accepts: CharacterTest = (codePoint) => tests.some((test) => test(codePoint));
    return negated ? (codePoint) => !accepts(codePoint) : accepts;
  }

  /** Reads one character of a class, one range, or one of `\d \w \s`. */
  #readClassItem(): CharacterTest {
    const start = this.#at;
    const from = this.#readClassCharacter();
    if (typeof from !== "number") return from;
    const isRange = this.#isNext("-") && this.#source[this.#at + 1] !== "]";
    if (!isRange || this.#at + 1 >= this.#source.length) return equals(from);
    this.#at++;
    const to = this.#readClassCharacter();
    const range = this.#source.slice(start, this.#at);
    if (typeof to !== "number")
      throw this.#error(`${range}, which is not a range of characters`, start);
    if (to < from) throw this.#error(`the range ${range}, which runs backwards`, start);
    return (codePoint) => codePoint >= from && codePoint <= to;
  }

  #readClassCharacter(): number | CharacterTest {
    const character = this.#peek();
    if (character === "\\") return this.#readEscape();
    this.#at += character.length;
    return character.codePointAt(0) ?? 0;
  }

  /** Reads an escaped character, or a class such as `\d`. */
  #readEscape(): number | CharacterTest {
    const start = this.#at;
    this.#at++;
    const letter = this.#peek();
    if (letter === "") throw this.#error("a \\ with nothing after it", start);
    this.#at += letter.length;

    const known = escapedClass(letter) ?? singleEscapes.get(letter);
    if (known !== undefined) return known;
    if (letter === "x" || letter === "u") return this.#readHexadecimal(letter, start);
    if (/[A-Za-z0-9]/.test(letter)) {
      throw this.#error(`\\${letter}, which is not in the regular subset (\\d \\w \\s are)`, start);
    }
    return letter.codePointAt(0) ?? 0;
  }

  #readHexadecimal(letter: string, start: number): number {
    const form = letter === "x" ? /^[\dA-Fa-f]{2}/ : /^(?:[\dA-Fa-f]{4}|\{[\dA-Fa-f]{1,6}\})/;
    const digits = form.exec(this.#source.slice(this.#at))?.[0];
    const codePoint = digits === undefined ? -1 : Number.parseInt(digits.replace("{", ""), 16);
    if (digits === undefined || codePoint > 0x10ffff) {
      throw this.#error(`\\${letter} without the hexadecimal digits of a character`, start);
    }
    this.#at += digits.length;
    return codePoint;
  }

  /** Returns the character at the cursor as a whole code point; empty at the end. */
  #peek(): string {
    const codePoint = this.#source.codePointAt(this.#at);
    return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  }

  #isNext(character: string): boolean {
    return this.#source[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at++;
    return true;
  }

  #isEndOfAlternative(at: number): boolean {
    return at >= this.#source.length || this.#source[at] === "|";
  }

  #error(what: string, position: number = this.#at): ConstraintSyntaxError {
    return new ConstraintSyntaxError(`the constraint (${this.#source}) has ${what}`, position);
  }
}

function equals(expected: number): CharacterTest {
  return (codePoint) => codePoint === expected;
}
