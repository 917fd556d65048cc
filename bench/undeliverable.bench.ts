/**
 * Measures the list of email addresses to which a practice with 10,000 clients doesn't send. With 5,000 addresses, a page must load as fast
 * as with 50, and the last page as fast as the first. The requests alternate.
 */
import { pathToFileURL } from 'node:url';
import { addPractice } from '../apps/server/src/testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../apps/server/src/testing/open-test-portal.ts';
import { median } from './against-bare.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;
const MANY_ADDRESSES = 5_000;
const FEW_ADDRESSES = 50;
const PAGE = 25;
const ROUNDS = 40;
const WARM_UP = 5;
const MAX_RATIO = 1.5;

type Practice = Awaited<ReturnType<typeof addPractice>>;

export async function measureUndeliverable(engine: string): Promise<BenchRow[]> {
  const portal = await openTestPortal({ validateOutputs: false });
  try {
    // Create two practices of the same size, which differ only in the number of addresses.
    const [largePractice, smallPractice] = [
      await createPracticeWithAddresses(portal, MANY_ADDRESSES),
      await createPracticeWithAddresses(portal, FEW_ADDRESSES),
    ];
    await portal.deps.database.executeSql('analyze');
    const deepestCursor = await findDeepestCursor(largePractice);
    const times = { first: [] as number[], deepest: [] as number[], few: [] as number[] };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const listTimes = {
        first: await time(largePractice),
        deepest: await time(largePractice, deepestCursor),
        few: await time(smallPractice),
      };
      if (round < WARM_UP) continue;
      for (const key of ['first', 'deepest', 'few'] as const) times[key].push(listTimes[key]);
    }
    const compare = (title: string, portalTimes: number[], other: number[]): BenchRow => {
      const ratio = median(portalTimes) / median(other);
      return {
        title: `${title}, ${MANY_ADDRESSES} addresses of a practice with 10,000 clients on ${engine}`,
        measured: `${median(portalTimes).toFixed(1)} ms against ${median(other).toFixed(1)} ms = ${ratio.toFixed(2)} times`,
        limit: `at most ${MAX_RATIO} times`,
        ok: ratio <= MAX_RATIO,
      };
    };
    return [
      compare(`a page of addresses that aren’t written to, against one of ${FEW_ADDRESSES}`, times.first, times.few),
      compare('the deepest page, against the first', times.deepest, times.first),
    ];
  } finally {
    await portal.close();
  }
}

async function createPracticeWithAddresses(portal: TestPortal, count: number): Promise<Practice> {
  const practice = await addPractice(portal);
  const { companyId } = practice;
  await portal.deps.database.executeSql(`begin; set local session_replication_role = replica;
    insert into clients (company_id, id, name, kind, status, email, has_vat, has_paye, has_ct, has_sa, created_at, updated_at)
      select '${companyId}', gen_random_uuid(), 'Client ' || n, 'company', 'active', 'c' || n || '@clients.example', true, false, true, false, now(), now()
      from generate_series(1, ${CLIENT_COUNT}) as n;
    insert into undeliverable_addresses (company_id, email, cause, detail, reported_at)
      select '${companyId}', 'c' || n || '@clients.example', 'no_address', '', now() - n * interval '1 minute' from generate_series(1, ${count}) as n; commit`);
  return practice;
}

const read = async ({ admin, companyId }: Practice, cursor?: string) => {
  const { status, body } = await admin.get('/open-tax/undeliverable-addresses', {
    company_id: companyId,
    limit: String(PAGE),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const addresses = body['addresses'] as { client: object | null }[];
  if (status !== 200 || addresses.length !== PAGE || addresses.some(({ client }) => client === null)) throw new Error('not a full page');
  return body;
};

async function findDeepestCursor(practice: Practice): Promise<string> {
  let last = '';
  for (let cursor: string | null | undefined; cursor !== null;) {
    if (cursor !== undefined) last = cursor;
    cursor = (await read(practice, cursor))['next_cursor'] as string | null;
  }
  return last;
}

async function time(practice: Practice, cursor?: string): Promise<number> {
  const startedAt = performance.now();
  await read(practice, cursor);
  return performance.now() - startedAt;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureUndeliverable(process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'the embedded database');
  if (process.send) process.send(rows);
  else printBenchRows(rows);
}
