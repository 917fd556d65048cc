/** Imports one client file while the portal is killed repeatedly. The admin polls, and sometimes cancels and resumes. */
import { Blob } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CLIENTS_UPLOAD_PATH, clientImportsApi, clientsUploadOutput, type ClientImport } from '@portal/contract/client-imports.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, makeImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import type { Portfolio } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { PortalRefusal } from '../../smoke/caller.ts';
import type { Chance } from '../shake.ts';
import { killByChance } from './kill-by-chance.ts';
import type { PracticeWorld } from './practice-world.ts';

export type ImportOutcome = {
  readonly portfolio: Portfolio;
  /** The result of validating the file, before any row was applied. */
  readonly judged: ClientImport;
  readonly last: ClientImport;
  readonly deaths: number;
  readonly violations: readonly string[];
};

export type ImportOptions = {
  readonly clients: number;
  readonly seed: number;
  readonly today: PlainDate;
  readonly mostKills: number;
  readonly cancels: boolean;
  readonly limitMs: number;
};

/** Companies House allows two calls a second, so looking up every company would take longer than the test. */
const WITH_COMPANY_NUMBER = 10;

/** An import commits 500 rows every few hundred milliseconds. */
const LATEST = { points: 5, ms: 300 } as const;

export async function importUnderFire(world: PracticeWorld, chance: Chance, options: ImportOptions): Promise<ImportOutcome> {
  await world.revive();
  const deathsBefore = world.countDeaths();
  const { clients, seed, today, mostKills, cancels, limitMs } = options;
  await world.agents.loadPortfolio(clients, seed);
  const portfolio = generatePortfolio({ clients, seed, today });
  const judged = await upload(world, portfolio);
  const of = { company_id: world.admin.companyId, import_id: judged.import_id };
  const look = async (): Promise<ClientImport> => {
    const { import: found } = await world.ask(clientImportsApi.info, of);
    if (!found) throw new Error('the import no longer exists');
    return found;
  };
  const start = (): Promise<unknown> => world.ask(clientImportsApi.start, of, { idempotencyKey: randomUUID() });
  const violations: string[] = [];
  await start();
  let done = 0;
  for (let kills = 0; kills < mostKills; kills += 1) {
    const seen = await look();
    if (seen.rows_done < done) violations.push(`rows done went back from ${done} to ${seen.rows_done}`);
    done = seen.rows_done;
    // Once all rows are applied, the remaining kills hit the rebuild of their positions.
    if (cancels && kills === 1 && seen.state === 'importing') {
      violations.push(...(await cancelUnderFire(world, chance, look)));
      await start();
    }
    await killByChance(world, chance, LATEST);
  }
  const until = performance.now() + limitMs;
  let last = await look();
  while (last.state === 'importing' && performance.now() < until) {
    await pause(200);
    last = await look();
  }
  if (last.state !== 'completed') violations.push(`the import is ${last.state}${last.reason === null ? '' : `: ${last.reason}`}`);
  return { portfolio, judged, last, deaths: world.countDeaths() - deathsBefore, violations };
}

async function upload(world: PracticeWorld, portfolio: Portfolio): Promise<ClientImport> {
  const rows = makeImportFile(portfolio).map((row, index) =>
    index < WITH_COMPANY_NUMBER ? row : { ...row, cells: { ...row.cells, company_number: '' } },
  );
  const query = { company_id: world.admin.companyId, file_name: `clients-${portfolio.seed}.csv` };
  return clientsUploadOutput.parse(await world.admin.caller.upload(CLIENTS_UPLOAD_PATH, query, new Blob([formatImportFile(rows)])));
}

/** Longer than one import step and than the start of a job. */
const STILL_MS = 2_500;

/** Cancels while the portal is killed around the response. A cancelled import must not continue after any restart. */
async function cancelUnderFire(world: PracticeWorld, chance: Chance, look: () => Promise<ClientImport>): Promise<string[]> {
  const { admin } = world;
  const of = { company_id: admin.companyId, import_id: (await look()).import_id };
  const pressed = admin.caller.call(clientImportsApi.cancel, of).catch(() => undefined);
  await pause(chance() * 60);
  await world.kill();
  await pressed;
  // If the import is still running, cancel again. If it has completed in the meantime, the portal answers 409.
  if ((await look()).state === 'importing') await world.ask(clientImportsApi.cancel, of).catch(unlessRefused);
  const seen = await look();
  if (seen.state === 'completed') return [];
  if (seen.state !== 'cancelled') return [`the cancelled import is ${seen.state}`];
  await killByChance(world, chance, LATEST);
  await world.revive();
  await pause(STILL_MS);
  const later = await look();
  const isStill = later.state === 'cancelled' && later.applied.new === seen.applied.new && later.rows_done === seen.rows_done;
  return isStill ? [] : [`the cancelled import went on: ${JSON.stringify([seen.applied, later.state, later.applied])}`];
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof PortalRefusal) || error.status !== 409) throw error;
}
