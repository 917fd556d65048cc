/** Runs journeys in Chromium against the built web app. Each worker starts its own portal (tests/journeys/journey.ts). */
import { defineConfig } from '@playwright/test';
import { countWorkers } from './scripts/testing/count-workers.ts';

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  globalSetup: './scripts/testing/ensure-builds.ts',
  // Retries would hide intermittent failures.
  retries: 0,
  // Files run in parallel, and the journeys in a file run sequentially: each worker has its own portal, simulators and mailbox. A journey
  // often waits for a response or for a second to pass.
  workers: countWorkers(1),
  // Generous, because a busy build server is slow. A test that hangs is still stopped.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] === 'true',
  use: {
    // Tracing makes every journey take a fifth longer. For a failed one, use `npx playwright test NAME --trace on`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Animations would add a tenth to the time. Journeys that test an animation turn it on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      // Chromium's sandbox can't run as root.
      args: isRoot ? ['--no-sandbox'] : [],
    },
  },
});
