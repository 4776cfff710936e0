/**
 * An address as eight groups of 16 bits. IPv4 is held as its IPv4-mapped IPv6 address
 * (RFC 4291 section 2.5.5.2), so that both spellings of one client are the same address.
 */
export type IpGroups = readonly number[];

/** The addresses that begin with the same `prefixBits` of 128 bits as `groups`. */
export interface AddressRange {
  readonly groups: IpGroups;
  readonly prefixBits: number;
}

const ipv4 = /^(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}$/;
const ipv4Mapped = /^::ffff:([\da-f]+):([\da-f]+)$/;

/** Parses an IPv4 or IPv6 address, a zone id (`%eth0`) dropped; `undefined` when it is none. */
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
 * The one canonical text of an address: RFC 5952 for IPv6, dotted for IPv4 and IPv4-mapped IPv6,
 * without zone id; `undefined` when the text is no address.
 */
export function canonicalIp(text: string): string | undefined {
  if (!text.includes(":")) return ipv4.test(text) ? text : undefined;
  const address = canonicalIpv6(text);
  const mapped = ipv4Mapped.exec(address ?? "");
  if (mapped === null) return address;
  const groups = mapped.slice(1).flatMap(parseGroups);
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; `undefined` when it is none. */
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

/** Whether an address lies in a range. */
export function isInRange(address: IpGroups, range: AddressRange): boolean {
  for (let index = 0; index < 8; index += 1) {
    const bits = Math.min(16, range.prefixBits - index * 16);
    if (bits <= 0) return true;
    const mask = (0xffff << (16 - bits)) & 0xffff;
    if (((address[index] ?? 0) & mask) !== ((range.groups[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** As the host of a URL, whose parser knows every spelling and writes RFC 5952 (URL standard, 3.5). */
function canonicalIpv6(text: string): string | undefined {
  // The longest address is 45 characters; a longer zone id is nobody's.
  if (text.length > 64) return undefined;
  const [address = ""] = text.split("%");
  // Without a look at the characters, one could end the host, or be dropped from it; and Bun's parser
  // overlooks a colon at the end.
  const url = `http://[${address}]`;
  if (!/^[\da-f:.]*(?:[\da-f]|::)$/i.test(address) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.slice(1, -1);
}

/** The groups of one side of `::`. */
function parseGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
