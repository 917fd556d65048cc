/** Measures how long the archive of `npm run package` takes to start and become ready, with only Node and PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { buildPackage } from '../scripts/package/make-package.ts';
import { startOwnSimulators, unpackPackage } from '../scripts/package/packaged-portal.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const STARTS = 5;
const MAX_START_SECONDS = 2;

async function measurePackage(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-package-bench-'));
  const database = await createPortalDatabase();
  const { file } = await buildPackage(folder);
  const unpackedPackage = await unpackPackage(file);
  const simulators = await startOwnSimulators('http://localhost:1');
  try {
    const wallSeconds: number[] = [];
    const cpuSeconds: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      // A container's first start doesn't have a cache of compiled code, so disable Node's cache.
      const environment = { ...simulators.settings, DATABASE_URL: database.url, NODE_DISABLE_COMPILE_CACHE: '1' };
      const portal = await unpackedPackage.start({ ...environment, HOST: '127.0.0.1', PORT: String(await findFreePort()) });
      wallSeconds.push(portal.startMs / 1000);
      cpuSeconds.push(readProcessorSeconds(portal.process.pid ?? 0));
      await portal.stop();
    }
    return [
      {
        title: `start of the package against PostgreSQL until the ready line, median of ${STARTS}, without a compile cache`,
        measured: `${median(wallSeconds).toFixed(2)} s, ${median(cpuSeconds).toFixed(2)} s of processor time`,
        limit: `${MAX_START_SECONDS} s`,
        ok: median(wallSeconds) <= MAX_START_SECONDS,
      },
      { title: 'size of the archive', measured: `${(statSync(file).size / 1e6).toFixed(1)} MB`, limit: 'for comparison', ok: true },
    ];
  } finally {
    await simulators.stop();
    unpackedPackage.remove();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the processor time of all the process's threads, from Linux's /proc (proc_pid_stat(5): utime and stime are fields 14 and 15). */
function readProcessorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']));
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measurePackage();
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
