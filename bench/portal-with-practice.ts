/** A portal on PostgreSQL with a practice of 10,000 clients and the sandbox's people, to measure pages in a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import type { BrowserContext, Page } from '@playwright/test';
import pg from 'pg';
import { fillListLimit, getSessionToken, PRACTICES } from './list-limit-data.ts';
import { startPortal, stopPortal } from './start-portal.ts';

export type PortalWithPractice = {
  /** Includes /portal, without a trailing slash. */
  readonly address: string;
  readonly folder: string;
  stop(): Promise<void>;
};

/** The query of the practice's pages. */
export const PRACTICE_QUERY = `?company_id=${PRACTICES[10_000]}`;

export async function startPortalWithPractice(): Promise<PortalWithPractice> {
  const database = await createPortalDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'portal-pages-'));
  const portal = await startPortal({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    PORT: String(await findFreePort()),
    SANDBOX_PORT: String(await findFreePort()),
    SANDBOX_SMTP_PORT: String(await findFreePort()),
  });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await fillListLimit(client);
  await client.end();
  return {
    address: portal.address.replace(/\/$/, ''),
    folder,
    stop: async () => {
      await stopPortal(portal.process);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Logs in as a sandbox user whose dashboard has data (README, people) and returns the dashboard's URL. */
export async function logInAsTrader(page: Page, address: string): Promise<string> {
  await page.goto(`${address}/login`);
  await page.getByLabel('Email').fill('tessa@brightwell.example');
  await page.getByLabel('Password').fill('Sandbox-2026!');
  await page.keyboard.press('Enter');
  await page.waitForURL(/dashboard/);
  return page.url();
}

/** Throws if the page shows an error instead of its content, because an error page would produce good figures. */
export async function assertLoaded(page: Page): Promise<void> {
  const errors = (await page.locator('main [role=alert]').allInnerTexts()).filter((text) => text.trim() !== '');
  if (errors.length > 0) throw new Error(`${page.url()} shows an error: ${errors.join(' ')}`);
}

/** Logs the browser in as the practice's admin. */
export async function logInAsPractice(context: BrowserContext, address: string): Promise<void> {
  const { protocol, hostname } = new URL(address);
  await context.addCookies([{ name: 'portal_session', value: getSessionToken(10_000), url: `${protocol}//${hostname}` }]);
}
