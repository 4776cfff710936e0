/** Returns an expression with single spaces: Cloudflare passes it as its configuration has it. */
export function normaliseCron(cron: string): string {
  return cron.trim().split(/\s+/).join(" ");
}
