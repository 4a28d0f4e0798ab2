/** A real browser for the tests that look at pages as people do; they are skipped, and say so, where there is none. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Skips the suite whose `before` hook this is called from when there is no browser here. */
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

/** Twelve times what the largest page takes: other work may keep the machine busy. */
const PATIENCE_MS = 120_000;

/** A page in a context of its own, which waits for whatever a test asks of it. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}
