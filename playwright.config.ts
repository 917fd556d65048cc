/** Journeys run against a portal of their own, started here on the built web app and an empty data folder. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const port = process.env['JOURNEY_PORT'] ?? '4410';
const dataDir = process.env['JOURNEY_DATA_DIR'] ?? join(tmpdir(), `portal-journeys-${process.pid}`);
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  // Repeating would hide what fails now and then.
  retries: 0,
  workers: 1,
  timeout: 60_000,
  forbidOnly: process.env['CI'] === 'true',
  use: {
    baseURL: `http://localhost:${port}`,
    // A trace of everything costs a fifth of the time; `npx playwright test NAME --trace on` draws one of what failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      // Chromium's own sandbox refuses to run as root.
      args: isRoot ? ['--no-sandbox'] : [],
    },
  },
  webServer: {
    command: `${process.execPath} apps/server/src/main.ts`,
    url: `http://localhost:${port}/portal/readyz`,
    reuseExistingServer: false,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 12_000 },
    env: {
      NODE_ENV: 'test',
      PORT: port,
      SANDBOX_PORT: process.env['JOURNEY_SANDBOX_PORT'] ?? '4411',
      SANDBOX_SMTP_PORT: process.env['JOURNEY_SMTP_PORT'] ?? '4435',
      DATA_DIR: dataDir,
    },
  },
});
