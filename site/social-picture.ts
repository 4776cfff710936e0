import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../test/support/chromium.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const logo = readFileSync(path("../docs/public/logo.svg"), "utf8");

/** Writes `docs/public/social.png`, the picture of links to the site: `node site/social-picture.ts`. */
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.setContent(`<!doctype html><style>
  body { margin: 0; height: 630px; display: flex; align-items: center; gap: 64px; padding: 0 88px;
    box-sizing: border-box; background: #fbfdfb; color: #17231c; font-family: system-ui, sans-serif; }
  svg { width: 280px; height: 280px; flex: none; }
  h1 { margin: 0; font-size: 104px; letter-spacing: -2px; }
  p { margin: 16px 0 0; font-size: 42px; line-height: 1.35; color: #256b45; }
  small { display: block; margin-top: 36px; font-size: 28px; color: #55635b; }
</style>${logo}<div><h1>Espalier</h1><p>A TypeScript web framework for the edge</p>
<small>Cloudflare Workers · Node · Deno · Bun</small></div>`);
await page.screenshot({ path: path("../docs/public/social.png") });
await browser.close();
