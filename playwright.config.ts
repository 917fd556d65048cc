/** Journeys run in Chromium on the built web app; each worker starts a portal of its own (tests/journeys/journey.ts). */
import { defineConfig } from '@playwright/test';

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  // Repeating would hide what fails now and then.
  retries: 0,
  // Files run beside each other, the journeys of a file one after the other: each worker has its own portal, doubles and mailbox.
  // One more than our build server has cores: a journey waits now and then, for an answer or for a second to pass.
  workers: 3,
  // Generous, as a busy build server is slow: a hang is still found.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] === 'true',
  use: {
    // A trace of everything costs a fifth of the time; `npx playwright test NAME --trace on` draws one of what failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    // A tenth of the time goes into drawing what fades and turns; what moves is tested where it is asked for.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      // Chromium's sandbox cannot run as root.
      args: isRoot ? ['--no-sandbox'] : [],
    },
  },
});
