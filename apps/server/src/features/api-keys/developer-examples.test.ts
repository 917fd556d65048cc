/** Runs each example of the developers' page as written, against a listening portal. */
import { ADD_NOTE_WITH_CURL, DOWNLOAD_CLIENT, OVERDUE_WITH_CURL, OVERDUE_WITH_TYPESCRIPT } from '@portal/contract/developer-examples.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { addTestKey } from '../../testing/add-test-key.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

const run = promisify(execFile);

let portal: TestPortal;
let practice: TestPractice;
let folder: string;
let env: NodeJS.ProcessEnv;
let clientId: string;

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  folder = await mkdtemp(join(tmpdir(), 'portal-examples-'));
  clientId = await addClient(portal, practice.companyId, { name: 'Larch & Daughters Ltd' });
  await addClient(portal, practice.companyId, { name: 'Punctual Ltd' });
  await addOverduePayment();
  const apiKey = await addTestKey(portal, {
    companyId: practice.companyId,
    userId: practice.adminId,
    scopes: ['clients.read', 'clients.write'],
  });
  env = { ...process.env, PORTAL_URL: portal.url, PORTAL_API_KEY: apiKey, CLIENT_ID: clientId };
});
/** Adds a VAT payment that was due on 7 November. */
async function addOverduePayment(): Promise<void> {
  const { db } = portal.deps.database;
  const overdueFigures = { owedPence: pence(120_000), overduePence: pence(120_000), overdueSince: plainDate('2026-11-07') };
  await db.insert(taxPositions).values({
    companyId: practice.companyId,
    clientId,
    tax: 'vat',
    ...overdueFigures,
    refundPence: pence(0),
    overdueReturns: 0,
    penaltyPence: pence(0),
    interestPence: pence(0),
    computedOn: plainDate('2026-11-10'),
    isEstimate: false,
    source: 'hmrc',
    detail: {},
  });
  await db
    .update(clientRows)
    .set({ overduePence: pence(120_000), nextDueOn: plainDate('2026-11-07') })
    .where(eq(clientRows.clientId, clientId));
}

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await portal.close();
});

const runShell = async (command: string): Promise<string> => (await run('bash', ['-ceu', command], { env, cwd: folder })).stdout;

describe('the developers’ page’s examples', () => {
  it('show how to list overdue clients with curl', async () => {
    const { clients } = JSON.parse(await runShell(OVERDUE_WITH_CURL)) as { clients: { name: string }[] };
    expect(clients.map(({ name }) => name)).toEqual(['Larch & Daughters Ltd']);
  });

  it('show how to list them with the typed client, which TypeScript accepts in its strictest mode', async () => {
    await runShell(DOWNLOAD_CLIENT);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'overdue.ts'), `${OVERDUE_WITH_TYPESCRIPT}\nexport {};\n`);
    const require = createRequire(import.meta.url);
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'esnext',
      noEmit: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      types: ['node'],
      typeRoots: [dirname(dirname(require.resolve('@types/node/package.json')))],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['overdue.ts'] }));
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    await run(process.execPath, [tsc, '-p', folder]);
    const { stdout } = await run(process.execPath, ['overdue.ts'], { env, cwd: folder });
    expect(stdout).toBe('Larch & Daughters Ltd 2026-11-07\n');
  });

  it('show a write that can be repeated', async () => {
    await runShell(ADD_NOTE_WITH_CURL);
    await runShell(ADD_NOTE_WITH_CURL);
    const notesResponse = await practice.admin.get('/client/notes', { company_id: practice.companyId, client_id: clientId });
    expect(JSON.stringify(notesResponse.body).split('Sent by our nightly report').length).toBe(2);
  });
});
