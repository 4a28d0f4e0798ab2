/** A real browser for tests of rendered pages. Without a browser these tests are skipped, with a message. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Call it in a suite's `before` hook. Skips the suite when no browser is installed. */
export function skipWithoutBrowser(hook: Mocha.Context): void {
  if (existsSync(CHROMIUM)) return;
  console.log(`      skipped: no Chromium at ${CHROMIUM} (set CHROMIUM_PATH)`);
  hook.skip();
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/** Twelve times the load time of the largest page, because other work may keep the machine busy. */
const PATIENCE_MS = 120_000;

/** Opens a page in a browser context of its own, with a long timeout for everything that a test awaits. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}
