/** Encodes text for a path, and leaves what RFC 3986 allows in a segment as it is. */
export function encodePathText(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}
