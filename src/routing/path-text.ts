/** Percent-encodes a string for a path, except for characters that RFC 3986 allows in a segment. */
export function encodePathText(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}
