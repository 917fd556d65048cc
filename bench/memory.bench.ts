/**
 * Measures the cost of a new practice with 10,000 clients: starting the portal, importing, loading two statements and refreshing from HMRC,
 * as `npm run portfolio -- --load` does. The memory figure is the peak of the server's process; the simulators run in another process.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { createSite, removeSite, startSandbox } from '../scripts/chaos/processes.ts';
import { runCommand } from '../scripts/testing/run-command.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { startPortal, stopPortal } from './start-portal.ts';

const CLIENT_COUNT = 10_000;
/** Target for the server's peak memory. */
const MAX_MB = 400;
/** Raised, because this would take an hour and a half at HMRC's own rate limit. */
const CALLS_PER_SECOND = '1000';

export async function measureMemory(engine: string): Promise<BenchRow[]> {
  const database = process.env['TEST_DATABASE_URL'] ? await createPortalDatabase() : undefined;
  const site = await createSite(database?.url);
  const sandbox = await startSandbox(site);
  const portal = await startPortal({ ...site.environment, HMRC_CALLS_PER_SECOND: CALLS_PER_SECOND });
  const folder = mkdtempSync(join(tmpdir(), 'portal-memory-'));
  try {
    const initialMb = readPeakMb(portal.process.pid);
    const startedAt = performance.now();
    const args = [
      '--clients',
      String(CLIENT_COUNT),
      '--load',
      '--url',
      site.portalUrl.replace(/\/portal$/, ''),
      '--sandbox',
      site.sandboxUrl,
    ];
    const { exitCode, output } = await runCommand(process.execPath, ['scripts/portfolio.ts', ...args, '--folder', folder]);
    if (exitCode !== 0) throw new Error(`the practice could not be loaded:\n${output}`);
    const seconds = (performance.now() - startedAt) / 1000;
    const peakMb = readPeakMb(portal.process.pid);
    return [
      {
        title: `peak memory of the server on ${engine}, from an empty database to ${CLIENT_COUNT.toLocaleString('en-GB')} clients imported and read`,
        measured: `${peakMb} MB (${initialMb} MB when it was ready)`,
        limit: `at most ${MAX_MB} MB`,
        ok: peakMb <= MAX_MB,
      },
      { title: `total time on ${engine}`, measured: `${seconds.toFixed(0)} s`, limit: 'for comparison', ok: true },
    ];
  } finally {
    await stopPortal(portal.process);
    await sandbox.stop();
    removeSite(site);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the peak memory so far, in MB of 1024 x 1024 bytes, from Linux's VmHWM. */
function readPeakMb(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureMemory(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
