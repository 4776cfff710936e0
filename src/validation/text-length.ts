/*
 * Lengths in code points: an emoji outside the basic plane counts as one character, as users expect. A
 * lone surrogate counts as one too. The length in code units bounds the result, so that a long string is
 * never counted.
 */

/** Returns whether `text` has at least `count` code points. */
export function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false;
  return text.length >= 2 * count || codePoints(text) >= count;
}

/** Returns whether `text` has at most `count` code points. */
export function hasAtMost(text: string, count: number): boolean {
  if (text.length <= count) return true;
  return text.length <= 2 * count && codePoints(text) <= count;
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = isHighSurrogate(text, index) && isLowSurrogate(text, index + 1);
    if (isPair) index += 1;
    count += 1;
  }
  return count;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}

// Past the end, charCodeAt() is NaN, and NaN & x is 0: not a surrogate.
function isLowSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
