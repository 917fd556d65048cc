/** `npm run picture`: takes docs/dashboard.png from the running product, after Tessa has filed her return and accepted the offer. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findProgram, installOnDebian } from './testing/debian.ts';
import { findFreePort, findFreeSmtpPort } from '@portal/sandbox/testing/find-free-port.ts';
import { repositoryRoot } from './testing/run-command.ts';

const SCREENSHOT_FILE = join(repositoryRoot, 'docs/dashboard.png');
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];
const PASSWORD = 'Sandbox-2026!';
const START_TIMEOUT_MS = 60_000;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const folder = mkdtempSync(join(tmpdir(), 'portal-picture-'));
const { portal, url } = await startPortal();
try {
  await takeScreenshot(url);
  process.stdout.write(`${SCREENSHOT_FILE}\n`);
} finally {
  await stop(portal);
  rmSync(folder, { recursive: true, force: true });
}

async function startPortal(): Promise<{ portal: ChildProcess; url: string }> {
  const [port, sandboxPort, smtpPort] = [await findFreePort(), await findFreePort(), await findFreeSmtpPort()].map(String);
  const environment = { PORT: port, SANDBOX_PORT: sandboxPort, SANDBOX_SMTP_PORT: smtpPort, DATA_DIR: join(folder, 'data') };
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => void child.kill());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The portal wasn’t ready within a minute.')), START_TIMEOUT_MS);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const readyUrl = /^ready (\S+)$/m.exec(output)?.[1];
      if (readyUrl === undefined) return;
      clearTimeout(timer);
      resolve({ portal: child, url: readyUrl });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The portal exited with ${code} before it was ready.`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function takeScreenshot(portalUrl: string): Promise<void> {
  const executablePath = findProgram(BROWSERS) ?? ((await installOnDebian('chromium')) ? findProgram(BROWSERS) : undefined);
  if (!executablePath) throw new Error('No Chromium found. Install Chromium or Google Chrome.');
  // Chromium's sandbox can't run as root.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage({
    viewport: { width: 1280, height: 1400 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
  });
  await fileAndAccept(page, portalUrl);
  await page.goto(`${portalUrl}/home`);
  await page.getByRole('region', { name: 'Early refund' }).waitFor();
  await page.getByRole('img', { name: /^Bar chart of VAT/ }).waitFor();
  await page.screenshot({ path: SCREENSHOT_FILE, animations: 'disabled' });
  await browser.close();
}

/** Files the return and accepts the offer through the screens. */
async function fileAndAccept(page: Page, portalUrl: string): Promise<void> {
  await page.goto(`${portalUrl}/login`);
  await page.getByLabel('Email').fill('tessa@brightwell.example');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('link', { name: 'Check and file' }).click();
  await page.getByRole('checkbox', { name: /^I confirm that the declaration/ }).check();
  await page.getByRole('button', { name: 'File this return with HMRC' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'File this return' }).click();
  await page.getByRole('link', { name: 'Get this refund early' }).click();
  await page.getByRole('checkbox', { name: /^I’ve read the agreement/ }).check();
  await page.getByRole('button', { name: /^Accept £/ }).click();
  await page.getByRole('button', { name: 'HMRC has this account now' }).click();
  await page.getByText('HMRC has it', { exact: true }).waitFor();
}
