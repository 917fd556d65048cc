/** A new practice: its profile, clients added individually and from files, bulk changes and undoing them. */
import { TAX_STATEMENTS_PATH, taxStatementsApi } from '@portal/contract/tax-statements.ts';
import { CLIENTS_UPLOAD_PATH, clientImportsApi } from '@portal/contract/client-imports.ts';
import { clientsApi, EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { pick } from '../../chaos/random.ts';
import type { Person } from './hostile-person.ts';
import { importClients } from './oakline.ts';
import { createHostilePerson, createTenant, signUp, pollUntil, type HostileTestBed } from './people.ts';

const MAY_BE_LATE = { mayEnd: [409] } as const;
const HEADINGS = 'name,kind,taxes,vrn,utr,company_number,email,phone,client_code,status';

export async function runPracticeSequence(testBed: HostileTestBed): Promise<void> {
  const tenant = createTenant(testBed);
  const person = createHostilePerson(testBed, tenant);
  await signUp(testBed, person, { product: 'open_tax' });
  await person.call(practiceApi.progress, {});
  const { company_id } = await person.call(practiceApi.create, { name: `Practice ${tenant.marker}` }, { isSafe: true });
  const key = { company_id };
  await setUp(person, company_id);
  await addClients(person, company_id);
  await changeClients(person, company_id);
  await importFiles(testBed, person, company_id);
  await uploadStatement(person, company_id);
  await saveViews(person, company_id);
  await person.call(practiceDashboardApi.today, key);
}

async function setUp(person: Person, company_id: string): Promise<void> {
  await person.call(practiceApi.accountantProfile, { company_id });
  const profile = {
    agent_code_ct: 'C1234X',
    taxes: ['vat', 'sa'],
    address_lines: '1 High Street\nBath',
    address_postcode: 'BA1 1AA',
  } as const;
  await person.call(practiceApi.saveAccountantProfile, { company_id, ...profile, taxes: [...profile.taxes], lead_days: { vat_return: 3 } });
  await person.call(practiceApi.postponeHmrc, { company_id });
  await person.call(practiceApi.connectHmrc, { company_id, return_to: 'steps' }, MAY_BE_LATE);
  await person.call(nightlyRefreshApi.get, { company_id });
  await person.call(nightlyRefreshApi.save, { company_id, is_on: true }, MAY_BE_LATE);
}

async function addClients(person: Person, company_id: string): Promise<void> {
  const { marker } = person.tenant;
  for (const number of [1, 2]) {
    const facts = {
      name: `Client ${number} ${marker}`,
      kind: 'company',
      taxes: ['vat' as const, 'ct' as const],
      email: `c${number}@${marker}.example`,
    } as const;
    await person.call(clientsApi.create, { company_id, ...facts, taxes: [...facts.taxes] });
  }
  const { clients } = await person.call(clientsApi.list, { company_id, sort: 'name', limit: 20, q: 'client' });
  const [client] = clients;
  if (!client) throw new Error('the practice has no clients');
  await person.call(clientsApi.count, { company_id, status: 'in_hand' });
  await person.call(clientsApi.find, { company_id, client_id: client.client_id });
  const edit = { name: `Client renamed ${marker}`, kind: 'company', taxes: ['vat' as const], phone: '01225 000000' } as const;
  await person.call(clientsApi.edit, { company_id, client_id: client.client_id, ...edit, taxes: [...edit.taxes] });
  await person.open(EXPORT_TABLE_PATH, { company_id, format: pick(person.random, ['csv', 'xlsx']) }, { corrupted: 8 });
  await person.post(EXPORT_TABLE_PATH, { query: { company_id }, body: { client_ids: [client.client_id] } }, { corrupted: 8 });
}

async function changeClients(person: Person, company_id: string): Promise<void> {
  const { clients } = await person.ask(clientsApi.list, { company_id });
  const client_ids = clients.map(({ client_id }) => client_id).slice(0, 5);
  await person.call(clientsApi.setStatus, { company_id, client_ids, status: pick(person.random, ['inactive', 'lead', 'closed'] as const) });
  await person.call(clientsApi.changes, { company_id });
  const { members } = await person.call(clientsApi.members, { company_id });
  const [member] = members;
  if (member) await person.call(clientsApi.assign, { company_id, client_ids, user_id: member.user_id, duty: 'vat', action: 'add' });
  const { counts, change_id } = await person.call(clientsApi.setStatus, { company_id, client_ids, status: 'active' }, { corrupted: 4 });
  if (counts.changed === 0 || change_id === null) return;
  await person.call(clientsApi.change, { company_id, change_id });
  await person.call(clientsApi.undoChange, { company_id, change_id }, MAY_BE_LATE);
}

/** Writes rows that are new, ambiguous, wrong and duplicated. */
function writeClients(marker: string): string {
  const rows = [
    [`Import One ${marker}`, 'company', 'vat;ct', '', '', '', `one@${marker}.example`, '', 'ONE', 'active'],
    [`Import Two ${marker}`, 'individual', 'sa', '', '', '', '', '', 'TWO', 'prospect'],
    [`Import Two ${marker}`, 'individual', 'sa', '', '', '', '', '', 'TWO', 'active'],
    [`Import Three ${marker}`, 'wizard', 'vat', '123', '', '', 'not an address', '', 'THREE', 'active'],
    [`Client 2 ${marker}`, 'company', 'vat', '', '', '', `c2@${marker}.example`, '', '', 'inactive'],
    ["=cmd|' /C calc'!A0", 'company', 'vat', '', '', '', '', '', '', ''],
  ];
  return [HEADINGS, ...rows.map((row) => row.map((cell) => `"${cell}"`).join(','))].join('\n');
}

async function sendClients(person: Person, company_id: string, body: string): Promise<string | undefined> {
  const query = { company_id, file_name: pick(person.random, ['clients.csv', '..\\clients.csv', 'clients.xlsx']) };
  const { text } = await person.post(
    CLIENTS_UPLOAD_PATH,
    { query, headers: { 'content-type': 'text/csv' }, body },
    { corrupted: 6, mayEnd: [400, 409, 413, 422] },
  );
  return (JSON.parse(text) as { import_id?: string }).import_id;
}

async function importFiles(testBed: HostileTestBed, person: Person, company_id: string): Promise<void> {
  const { marker } = person.tenant;
  await person.open(`${CLIENTS_UPLOAD_PATH}/template`, {}, { corrupted: 2 });
  const brokenFile = pick(testBed.random, [
    '',
    'PK\u0003\u0004',
    `${HEADINGS}\n"unclosed`,
    'a;b;c\n1;2;3\n',
    `${'name,'.repeat(500)}\n`,
    '\0\0',
  ]);
  const brokenResponse = await sendClients(person, company_id, brokenFile);
  if (brokenResponse !== undefined) await person.call(clientImportsApi.cancel, { company_id, import_id: brokenResponse }, MAY_BE_LATE);
  const import_id = await sendClients(person, company_id, writeClients(marker));
  if (import_id === undefined) return;
  const key = { company_id, import_id };
  await person.call(clientImportsApi.info, key);
  await person.call(clientImportsApi.rows, { ...key, limit: 20 });
  await person.call(clientImportsApi.map, { ...key, sheet: 0, header_line: 1 }, MAY_BE_LATE);
  await person.call(clientImportsApi.chooseStatuses, { ...key, prospects: 'archive', existing: 'change' }, MAY_BE_LATE);
  const { rows } = await person.ask(clientImportsApi.rows, key);
  for (const row of rows.filter(({ outcome }) => outcome === 'invalid').slice(0, 1))
    await person.call(clientImportsApi.correct, { ...key, row: row.row, values: { kind: 'company', vrn: '', email: '' } }, MAY_BE_LATE);
  for (const row of rows.filter(({ outcome }) => outcome !== 'invalid').slice(0, 2))
    await person.call(clientImportsApi.resolve, { ...key, row: row.row, choice: 'skip' }, MAY_BE_LATE);
  await person.call(clientImportsApi.start, key, { isSentTwice: true, mayEnd: [409] });
  await pollUntil(async () => {
    const { import: current } = await person.ask(clientImportsApi.info, key);
    return current?.state === 'importing' ? undefined : true;
  }, 'the import did not end');
  await person.call(clientImportsApi.rejected, key, MAY_BE_LATE);
  await person.call(clientImportsApi.fetchingNewClients, { company_id });
  await person.call(clientImportsApi.undo, key, MAY_BE_LATE);
  if (testBed.random() < 0.3) await importClients(person, company_id, `${HEADINGS}\n"Later ${marker}",company,vat,,,,,,,active\n`);
}

async function uploadStatement(person: Person, company_id: string): Promise<void> {
  const { marker } = person.tenant;
  await person.open(`${TAX_STATEMENTS_PATH}/template`, { tax_type: 'ct' }, { corrupted: 3 });
  const body = [
    'reference,client,entry,kind,title,period_start,period_end,due_on,received_on,amount,outstanding,pays',
    `1234567890,Import One ${marker},charge,,Corporation tax,2025-04-01,2026-03-31,2027-01-01,,1000.00,1000.00,`,
    `9999999999,=HYPERLINK(1) ${marker},payment,,x,2026-02-30,,,2026-13-01,1e400,NaN,`,
  ].join('\n');
  const file = { query: { company_id, tax_type: 'ct', file_name: 'ct.csv' }, headers: { 'content-type': 'text/csv' }, body };
  await person.post(TAX_STATEMENTS_PATH, file, { corrupted: 6, mayEnd: [409, 422] });
  const { statements } = await person.call(taxStatementsApi.list, { company_id });
  for (const { statement_id } of statements.slice(0, 1)) {
    const key = { company_id, statement_id };
    await person.call(taxStatementsApi.get, key);
    await person.call(taxStatementsApi.rows, { ...key, limit: 10 });
    await person.call(taxStatementsApi.start, key, MAY_BE_LATE);
    await person.call(taxStatementsApi.cancel, key, MAY_BE_LATE);
  }
}

async function saveViews(person: Person, company_id: string): Promise<void> {
  await person.call(clientsApi.saveView, { company_id, name: `View ${person.tenant.marker}`, query: 'status=active', is_shared: true });
  const { views } = await person.call(clientsApi.savedViews, { company_id });
  for (const { view_id } of views.slice(0, 1)) {
    await person.call(clientsApi.changeView, { company_id, view_id, name: 'Renamed', is_shared: false });
    await person.call(clientsApi.removeView, { company_id, view_id }, { mayEnd: [404] });
  }
  await person.call(practiceDashboardApi.createFeed, { company_id });
  await person.call(practiceDashboardApi.feed, { company_id });
  await person.call(practiceDashboardApi.revokeFeed, { company_id });
}
