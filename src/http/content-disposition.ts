// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is being replaced.
const controlCharacters = /[\x00-\x1f\x7f-\x9f]/g;
const plainName = /^[\x20-\x7e]*$/;

/**
 * Returns the value of `Content-Disposition` (RFC 6266) for a file with any name.
 *
 * A name with non-ASCII characters or `%` is sent twice: encoded (RFC 8187) for current clients, and with
 * `_` in place of these characters for old ones. Leading folders are removed and control characters
 * become `_`.
 */
export function contentDisposition(inline: boolean, name: string | undefined): string {
  const disposition = inline ? "inline" : "attachment";
  if (name === undefined) return disposition;

  const baseName = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const cleanName = baseName.toWellFormed().replace(controlCharacters, "_");
  const isPlain = plainName.test(cleanName) && !cleanName.includes("%");
  const fallback = cleanName.replace(/[^\x20-\x7e]/gu, "_").replace(/["%]/g, "_");
  const plain = `${disposition}; filename="${isPlain ? cleanName.replace(/"/g, '\\"') : fallback}"`;
  return isPlain ? plain : `${plain}; filename*=UTF-8''${encodeExtendedValue(cleanName)}`;
}

/** Percent-encodes all but `attr-char` (RFC 8187 section 3.2.1), which excludes `'()*`. */
function encodeExtendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
