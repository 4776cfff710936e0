import { type RequestContext, stream } from "espalier";

/** `GET /export?rows=1000000`: generates rows as fast as the client reads them (backpressure). */
export function exportNumbers(ctx: RequestContext<object>): Response {
  const rows = Number(ctx.query["rows"] ?? 1000);
  return stream(lines(rows), { type: "text/csv; charset=utf-8" });
}

async function* lines(rows: number): AsyncGenerator<string> {
  yield "number,square\n";
  for (let row = 1; row <= rows; row += 100) {
    let chunk = "";
    for (let i = row; i < row + 100 && i <= rows; i += 1) chunk += `${i},${i * i}\n`;
    yield chunk;
  }
}
