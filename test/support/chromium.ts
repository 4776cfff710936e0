import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Path of the installed browser; undefined without one, which skips tests that need it. */
export const chromiumPath: string | undefined = places.find((path) => existsSync(path));

/** Starts the installed browser, headless and without background network requests. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error("Chromium is not installed.");
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath: chromiumPath, args });
}
