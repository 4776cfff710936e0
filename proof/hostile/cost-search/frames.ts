/** Returns a WebSocket frame of a client as a string of bytes, masked with zeros (RFC 6455, section 5.2). */
export function frame(firstByte: number, payload: string): string {
  const { length } = payload;
  const sizes = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 0xff];
  return String.fromCharCode(firstByte, ...sizes, 0, 0, 0, 0) + payload;
}
