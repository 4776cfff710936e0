/** Development dependencies of a project, in the versions that this repository is tested with. */
export const versions = {
  "@biomejs/biome": "^2.6.8",
  "@cloudflare/workers-types": "^5.20261117.1",
  "@types/bun": "^1.4.5",
  "@types/node": "^24.19.4",
  typescript: "^6.0.3",
  vite: "~8.3.8",
  vitest: "^5.1.1",
  wrangler: "^4.156.2",
} as const;
