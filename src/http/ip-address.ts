/**
 * An address as eight groups of 16 bits. IPv4 is stored as its IPv4-mapped IPv6 address
 * (RFC 4291 section 2.5.5.2), so that both forms of one address are equal.
 */
export type IpGroups = readonly number[];

/** A CIDR range: the addresses that share the first `prefixBits` of 128 bits with `groups`. */
export interface AddressRange {
  readonly groups: IpGroups;
  readonly prefixBits: number;
}

const ipv4 = /^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;
const ipv4Mapped = /^::ffff:([\da-f]+):([\da-f]+)$/;

/** Parses an IPv4 or IPv6 address, ignoring a zone id (`%eth0`); returns `undefined` if it is invalid. */
export function parseIp(text: string): IpGroups | undefined {
  const address = canonicalIp(text);
  if (address === undefined) return undefined;
  if (!address.includes(":")) {
    const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
    return [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d];
  }
  const [head = [], tail = []] = address.split("::").map(parseGroups);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/**
 * Returns the canonical form of an address: RFC 5952 for IPv6, dotted for IPv4 and IPv4-mapped IPv6,
 * without zone id; `undefined` if it is invalid.
 */
export function canonicalIp(text: string): string | undefined {
  if (!text.includes(":")) return ipv4.test(text) ? text : undefined;
  const address = canonicalIpv6(text);
  const mapped = ipv4Mapped.exec(address ?? "");
  if (mapped === null) return address;
  const groups = mapped.slice(1).flatMap(parseGroups);
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; returns `undefined` if it is invalid. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const groups = parseIp(address);
  if (groups === undefined || rest.length > 0) return undefined;
  if (bits === undefined) return { groups, prefixBits: 128 };

  const isIpv4 = !address.includes(":");
  const width = isIpv4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > width) return undefined;
  return { groups, prefixBits: Number(bits) + 128 - width };
}

/** Returns whether an address is in a range. */
export function isInRange(address: IpGroups, range: AddressRange): boolean {
  for (let index = 0; index < 8; index += 1) {
    const bits = Math.min(16, range.prefixBits - index * 16);
    if (bits <= 0) return true;
    const mask = (0xffff << (16 - bits)) & 0xffff;
    if (((address[index] ?? 0) & mask) !== ((range.groups[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Uses the URL parser, which accepts every form of IPv6 and serialises RFC 5952 (URL standard, 3.5). */
function canonicalIpv6(text: string): string | undefined {
  // The longest address has 45 characters; the rest is room for a zone id.
  if (text.length > 64) return undefined;
  const [address = ""] = text.split("%");
  // Characters are checked first: the URL parser could end the host at one or drop it, and Bun's parser
  // ignores a trailing colon.
  const url = `http://[${address}]`;
  if (!/^[\da-f:.]*(?:[\da-f]|::)$/i.test(address) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.slice(1, -1);
}

/** Parses the groups on one side of `::`. */
function parseGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
