/**
 * `npm run bench [-- PART ...]`: measures the product against its limits. Machines are noisy, so it compares figures from the same run and
 * uses medians and ratios.
 */
import { fork } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { findPostgresBinaries, startPostgres } from '../scripts/testing/start-postgres.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';
import { measureBoxes } from './boxes.bench.ts';
import { measureLanding } from './landing.bench.ts';
import { measurePrices } from './prices.bench.ts';
import { measurePortfolio } from './portfolio.bench.ts';
import { measureUkTax } from './uk-tax.bench.ts';

const PARTS: Readonly<Record<string, () => Promise<BenchRow[]>>> = {
  boxes: measureBoxes,
  'uk-tax': measureUkTax,
  portfolio: measurePortfolio,
  landing: measureLanding,
  dashboard: () => measureInProcess('dashboard', {}),
  'dashboard-postgres': () => measureOnPostgres('dashboard'),
  today: () => measureInProcess('today', {}),
  'today-postgres': () => measureOnPostgres('today'),
  'client-list': () => measureInProcess('client-list', {}),
  'client-list-postgres': () => measureOnPostgres('client-list'),
  agent: () => measureInProcess('agent', {}),
  'agent-postgres': () => measureOnPostgres('agent'),
  'team-work': () => measureInProcess('team-work', {}),
  'team-work-postgres': () => measureOnPostgres('team-work'),
  notifications: () => measureInProcess('notifications', {}),
  'notifications-postgres': () => measureOnPostgres('notifications'),
  'list-filters': () => measureInProcess('list-filters', {}),
  'list-filters-postgres': () => measureOnPostgres('list-filters'),
  undeliverable: () => measureInProcess('undeliverable', {}),
  'undeliverable-postgres': () => measureOnPostgres('undeliverable'),
  invitations: () => measureInProcess('invitations', {}),
  'invitations-postgres': () => measureOnPostgres('invitations'),
  'operator-desk': () => measureInProcess('operator-desk', {}),
  'operator-desk-postgres': () => measureOnPostgres('operator-desk'),
  identity: () => measureInProcess('identity', {}),
  'identity-postgres': () => measureOnPostgres('identity'),
  'client-import': () => measureInProcess('client-import', {}),
  'client-import-postgres': () => measureOnPostgres('client-import'),
  'connected-books': () => measureInProcess('connected-books', {}),
  'connected-books-postgres': () => measureOnPostgres('connected-books'),
  'connected-books-memory-postgres': () => measureOnPostgres('connected-books-memory'),
  pricing: () => measureInProcess('pricing', {}),
  'pricing-postgres': () => measureOnPostgres('pricing'),
  prices: measurePrices,
  'sync-rate': () => measureInProcess('sync-rate', {}),
  'sync-rate-postgres': () => measureOnPostgres('sync-rate'),
  memory: () => measureInProcess('memory', {}),
  'memory-postgres': () => measureOnPostgres('memory'),
  package: () => measureOnPostgres('package'),
  pages: () => measureOnPostgres('pages'),
  lighthouse: () => measureOnPostgres('lighthouse'),
};

/** Parts that run only if named, because they take minutes. */
const PARTS_ON_REQUEST: readonly string[] = [
  'prices',
  'package',
  'pages',
  'lighthouse',
  'memory',
  'memory-postgres',
  'notifications',
  'notifications-postgres',
  'connected-books-memory-postgres',
];

/** Parts that run in their own process, from `<part>.bench.ts`. */
type InProcessPart =
  | 'today'
  | 'operator-desk'
  | 'undeliverable'
  | 'invitations'
  | 'client-list'
  | 'agent'
  | 'team-work'
  | 'notifications'
  | 'list-filters'
  | 'dashboard'
  | 'identity'
  | 'client-import'
  | 'pricing'
  | 'connected-books'
  | 'connected-books-memory'
  | 'sync-rate'
  | 'memory'
  | 'package'
  | 'pages'
  | 'lighthouse';

const requestedParts = process.argv.slice(2);
const unknownParts = requestedParts.filter((part) => !(part in PARTS));
if (unknownParts.length > 0) {
  console.error(`Unknown part ${unknownParts.join(', ')}. Choose from ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}
let areAllMet = true;
for (const [part, measure] of Object.entries(PARTS)) {
  if (requestedParts.length > 0 ? !requestedParts.includes(part) : PARTS_ON_REQUEST.includes(part)) continue;
  const startedAt = performance.now();
  const rows = await measure();
  printBenchRows(rows);
  // Print the system load with the figures, because it affects times more than ratios.
  const [load = 0] = loadavg();
  console.log(
    `      ${part} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s, at a load of ${load.toFixed(1)} on ${availableParallelism()} processors`,
  );
  areAllMet &&= rows.every(({ ok }) => ok);
}
process.exitCode = areAllMet ? 0 : 1;

/**
 * Runs the part in its own process, because environment variables select the database engine, and other parts' memory would distort the
 * figures.
 */
function measureInProcess(part: InProcessPart, environment: Readonly<Record<string, string>>): Promise<BenchRow[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(`./${part}.bench.ts`, import.meta.url), { env: { ...process.env, ...environment } });
    child.once('message', (rows) => resolve(rows as BenchRow[]));
    child.once('exit', (code) => code !== 0 && reject(new Error(`${part} could not be measured`)));
  });
}

async function measureOnPostgres(part: InProcessPart): Promise<BenchRow[]> {
  const postgresBinaries = findPostgresBinaries();
  if (!postgresBinaries)
    return [
      { title: `${part} on PostgreSQL`, measured: 'not measured: no PostgreSQL here', limit: 'as for the embedded database', ok: false },
    ];
  const server = await startPostgres(postgresBinaries);
  try {
    return await measureInProcess(part, { TEST_DATABASE_URL: server.url });
  } finally {
    server.stop();
  }
}
