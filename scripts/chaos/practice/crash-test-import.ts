/** Imports one client file while the portal is killed repeatedly. The admin polls, and sometimes cancels and resumes. */
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput, type ClientImport } from '@portal/contract/client-imports.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, createImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import type { Portfolio } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { PortalError } from '../../smoke/caller.ts';
import type { RandomSource } from '../random.ts';
import { killRandomly } from './kill-randomly.ts';
import type { PracticeTestBed } from './practice-test-bed.ts';

export type ImportOutcome = {
  readonly portfolio: Portfolio;
  /** The result of validating the file, before any rows were applied. */
  readonly validated: ClientImport;
  readonly last: ClientImport;
  readonly killCount: number;
  readonly violations: readonly string[];
};

export type ImportOptions = {
  readonly clients: number;
  readonly seed: number;
  readonly today: PlainDate;
  readonly maxKills: number;
  readonly shouldCancel: boolean;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
};

/** Companies House allows two calls a second, so looking up every company would take longer than the test. */
const WITH_COMPANY_NUMBER = 10;

/** An import commits 500 rows every few hundred milliseconds. */
const KILL_LIMITS = { points: 5, ms: 300 } as const;

export async function crashTestImport(testBed: PracticeTestBed, random: RandomSource, options: ImportOptions): Promise<ImportOutcome> {
  await testBed.revive();
  const killsBefore = testBed.countKills();
  const { clients, seed, today, maxKills, shouldCancel, limitMs } = options;
  await testBed.agents.loadPortfolio(clients, seed);
  const portfolio = generatePortfolio({ clients, seed, today });
  const validatedImport = await upload(testBed, portfolio);
  const params = { company_id: testBed.admin.companyId, import_id: validatedImport.import_id };
  const readImport = async (): Promise<ClientImport> => {
    const { import: storedImport } = await testBed.callWithRestart(clientImportsApi.info, params);
    if (!storedImport) throw new Error('the import no longer exists');
    return storedImport;
  };
  const start = (): Promise<unknown> => testBed.callWithRestart(clientImportsApi.start, params, { idempotencyKey: randomUUID() });
  const violations: string[] = [];
  await start();
  let rowsDone = 0;
  for (let kills = 0; kills < maxKills && !options.signal?.aborted; kills += 1) {
    const current = await readImport();
    if (current.rows_done < rowsDone) violations.push(`rows done went back from ${rowsDone} to ${current.rows_done}`);
    rowsDone = current.rows_done;
    // Once all rows have been applied, the remaining kills hit the rebuild of their positions.
    if (shouldCancel && kills === 1 && current.state === 'importing') {
      violations.push(...(await cancelDuringKill(testBed, random, readImport)));
      await start();
    }
    await killRandomly(testBed, random, KILL_LIMITS);
  }
  const deadline = performance.now() + limitMs;
  let last = await readImport();
  while (last.state === 'importing' && performance.now() < deadline) {
    await pause(200);
    last = await readImport();
  }
  if (last.state !== 'completed') violations.push(`the import is ${last.state}${last.reason === null ? '' : `: ${last.reason}`}`);
  return { portfolio, validated: validatedImport, last, killCount: testBed.countKills() - killsBefore, violations };
}

async function upload(testBed: PracticeTestBed, portfolio: Portfolio): Promise<ClientImport> {
  const rows = createImportFile(portfolio).map((row, index) =>
    index < WITH_COMPANY_NUMBER ? row : { ...row, cells: { ...row.cells, company_number: '' } },
  );
  const query = { company_id: testBed.admin.companyId, file_name: `clients-${portfolio.seed}.csv` };
  return clientsUploadOutput.parse(await testBed.admin.caller.upload(CLIENTS_UPLOAD_PATH, query, new Blob([formatImportFile(rows)])));
}

/** Longer than one import step and the start of a job. */
const QUIET_PERIOD_MS = 2_500;

/** Cancels while the portal is killed around the response. A cancelled import must not continue after any restart. */
async function cancelDuringKill(
  testBed: PracticeTestBed,
  random: RandomSource,
  readImport: () => Promise<ClientImport>,
): Promise<string[]> {
  const { admin } = testBed;
  const params = { company_id: admin.companyId, import_id: (await readImport()).import_id };
  const cancelRequest = admin.caller.call(clientImportsApi.cancel, params).catch(() => undefined);
  await pause(random() * 60);
  await testBed.kill();
  await cancelRequest;
  // If the import is still running, cancels again. If it has completed in the meantime, the portal responds with 409.
  if ((await readImport()).state === 'importing')
    await testBed.callWithRestart(clientImportsApi.cancel, params).catch(rethrowUnlessConflict);
  const current = await readImport();
  if (current.state === 'completed') return [];
  if (current.state !== 'cancelled') return [`the cancelled import is ${current.state}`];
  await killRandomly(testBed, random, KILL_LIMITS);
  await testBed.revive();
  await pause(QUIET_PERIOD_MS);
  const importAfterRestart = await readImport();
  const isUnchanged =
    importAfterRestart.state === 'cancelled' &&
    importAfterRestart.applied.new === current.applied.new &&
    importAfterRestart.rows_done === current.rows_done;
  return isUnchanged
    ? []
    : [`the cancelled import continued: ${JSON.stringify([current.applied, importAfterRestart.state, importAfterRestart.applied])}`];
}

function rethrowUnlessConflict(error: unknown): void {
  if (!(error instanceof PortalError) || error.status !== 409) throw error;
}
