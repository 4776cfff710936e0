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

const ipv4Part = /^(?:0|[1-9]\d{0,2})$/;
const ipv6Group = /^[\da-f]{1,4}$/i;

/** Parses an IPv4 or IPv6 address, a zone id (`%eth0`) dropped; `undefined` when it is none. */
export function parseIp(text: string): IpGroups | undefined {
  // The longest address is 45 characters; a longer zone id is nobody's.
  if (text.length > 64) return undefined;
  if (!text.includes(":")) {
    const tail = parseIpv4(text);
    return tail && [0, 0, 0, 0, 0, 0xffff, ...tail];
  }
  const zone = text.indexOf("%");
  return parseIpv6(zone === -1 ? text : text.slice(0, zone));
}

/**
 * The one canonical text of an address: RFC 5952 for IPv6, dotted for IPv4 and IPv4-mapped IPv6,
 * without zone id; `undefined` when the text is no address.
 */
export function canonicalIp(text: string): string | undefined {
  const groups = parseIp(text);
  return groups && formatIp(groups);
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

function parseIpv4(text: string): [high: number, low: number] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => ipv4Part.test(part) && Number(part) <= 255)) {
    return undefined;
  }
  const [a = 0, b = 0, c = 0, d = 0] = parts.map(Number);
  return [a * 256 + b, c * 256 + d];
}

function parseIpv6(text: string): IpGroups | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => parseGroups(half));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;

  // Only the end of an address may be dotted; `1.2.3.4::` is none.
  if (tail === undefined || halves[0]?.includes(".")) return undefined;
  const missing = 8 - head.length - tail.length;
  return missing >= 1 ? [...head, ...Array<number>(missing).fill(0), ...tail] : undefined;
}

/** The groups of one side of `::`; its last may be an IPv4 address, which is two. */
function parseGroups(text: string): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (ipv6Group.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const dotted = index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (dotted === undefined) return undefined;
    groups.push(...dotted);
  }
  return groups;
}

function formatIp(groups: IpGroups): string {
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  const run = longestZeroRun(groups);
  const hex = (part: IpGroups): string => part.map((group) => group.toString(16)).join(":");
  if (run.length < 2) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

/** The first of the longest runs of zero groups (RFC 5952 section 4.2.3). */
function longestZeroRun(groups: IpGroups): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index - length + 1, length };
  }
  return longest;
}
