/** An ISBN-13 without its hyphens: the id of a book. */
export function bookIdOf(isbn: string): string {
  return isbn.replaceAll("-", "");
}

/** Returns true if the check digit is correct: with alternating weights 1 and 3, the 13 digits sum to a multiple of 10. */
export function hasValidCheckDigit(isbn: string): boolean {
  const digits = [...bookIdOf(isbn)].map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return digits.length === 13 && sum % 10 === 0;
}
