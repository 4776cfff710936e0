import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The installed browser; undefined where there is none, and tests that need one are skipped. */
export const chromiumPath: string | undefined = places.find((path) => existsSync(path));

/** Starts the installed browser without a window and without talking to anybody. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error("There is no Chromium on this machine.");
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
