/** Work on clients whose figures are at HMRC: reads for every tax, notes, contacts, authorisations, refreshes. */
import { randomUUID } from 'node:crypto';
import { authorisationRequestsApi, REQUEST_LINKS_FILE_PATH } from '@portal/contract/authorisation-requests.ts';
import { authorisationsApi } from '@portal/contract/authorisations.ts';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { positionChangesApi } from '@portal/contract/position-changes.ts';
import { positionsApi } from '@portal/contract/positions.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { syncApi } from '@portal/contract/sync.ts';
import { SYNC_EVENTS_PATH } from '@portal/contract/sync-status.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { pick } from '../../chaos/random.ts';
import type { Person } from './hostile-person.ts';
import type { HostileTestBed } from './people.ts';

const MAY_BE_LATE = { mayEnd: [404, 409, 422] } as const;

type Client = { readonly company_id: string; readonly client_id: string };

export async function runClientsSequence({ oakline, random }: HostileTestBed): Promise<void> {
  const { priya, companyId: company_id } = oakline;
  // The administrator's preferences differ in each sequence, but there's only one session.
  const order = pick(random, [{ sort: 'owed' }, { sort: 'next_due' }, { sort: 'name' }] as const);
  const { clients, next_cursor } = await priya.call(clientsApi.list, { company_id, ...order, limit: 50 });
  if (next_cursor !== null) await priya.call(clientsApi.list, { company_id, ...order, limit: 5, cursor: next_cursor });
  const client = pick(random, clients);
  const key = { company_id, client_id: client.client_id };
  await readPositions(priya, key);
  await readPractice(priya, company_id);
  await workOnClient(priya, key);
  await authorise(priya, key, random() < 0.5 ? 'vat' : 'sa');
  await refresh(priya, company_id, client.client_id);
}

async function readPositions(person: Person, key: Client): Promise<void> {
  const { company_id, client_id } = key;
  await person.call(clientDashboardApi.profile, key);
  await person.call(positionsApi.vatSummary, key);
  await person.call(positionsApi.payeSummary, key);
  await person.call(positionsApi.corpTaxSummary, key);
  await person.call(positionsApi.selfAssessmentSummary, key);
  await person.call(positionsApi.clientTaxes, { company_id, client_company_id: client_id });
  const { next_cursor } = await person.call(positionsApi.upcomingVat, { company_id, limit: 2 });
  if (next_cursor !== null) await person.call(positionsApi.upcomingVat, { company_id, limit: 2, cursor: next_cursor });
  await person.call(positionsApi.upcomingPaye, { company_id });
  await person.call(positionsApi.upcomingCorp, { company_id, limit: 20 });
  await person.call(positionsApi.upcomingSelfAssessment, { company_id });
  await person.call(positionsApi.vatMinimumYear, { company_id });
  await person.call(positionsApi.payeMinimumYear, key);
  await person.call(positionsApi.vatReturns, { ...key, tax_year: '2026-27' });
  await person.call(positionsApi.payeYear, { ...key, tax_year: '2026-27' });
  await person.call(positionsApi.corpPeriods, key);
  await person.call(positionsApi.selfAssessmentPeriods, key);
  await person.call(positionsApi.selfAssessmentPayments, key);
  await person.call(positionsApi.vatPeriodEnd, key);
  await person.call(positionsApi.selfAssessmentClients, { company_id });
  await person.call(syncApi.clientSyncData, key);
}

async function readPractice(person: Person, company_id: string): Promise<void> {
  await person.call(practiceDashboardApi.get, { company_id });
  await person.call(practiceDashboardApi.paye, { company_id });
  await person.call(practiceDashboardApi.corporationTax, { company_id });
  await person.call(practiceDashboardApi.selfAssessment, { company_id });
  await person.call(practiceDashboardApi.calendar, { company_id, month: '2026-12' });
  await person.call(practiceDashboardApi.calendarDay, { company_id, day: plainDate('2026-12-07') });
  await person.call(positionChangesApi.list, { company_id, tax: 'vat' });
  await person.call(clientDashboardApi.companies, { company_id, q: 'a', limit: 10 });
  await person.call(clientDashboardApi.practiceTags, { company_id });
  for (const tax_type of ['vat', 'paye'] as const) {
    await person.call(syncApi.syncData, { company_id, tax_type }, { corrupted: 8 });
    await person.call(syncApi.refreshingClients, { company_id, tax_type }, { corrupted: 8 });
    await person.call(syncApi.connectionStatus, { company_id, tax_type }, { corrupted: 8 });
  }
  await person.call(syncApi.accountantConnections, { company_id });
  await person.open(SYNC_EVENTS_PATH, { company_id }, { corrupted: 3 });
}

async function workOnClient(person: Person, key: Client): Promise<void> {
  await person.call(clientDashboardApi.addNote, { ...key, text: 'Rang the client\nabout VAT' });
  const { notes } = await person.call(clientDashboardApi.notes, key);
  const note = notes.find(({ may_edit }) => may_edit);
  if (note) {
    await person.call(clientDashboardApi.pinNote, { ...key, note_id: note.note_id, is_pinned: true }, MAY_BE_LATE);
    await person.call(
      clientDashboardApi.editNote,
      { ...key, note_id: note.note_id, text: 'Rang twice', edited_at: note.edited_at },
      MAY_BE_LATE,
    );
  }
  await person.call(clientDashboardApi.addContact, {
    ...key,
    name: 'Zoë',
    role: 'Director',
    email: 'zoe@client.example',
    phone: '01225 1',
  });
  const { contacts } = await person.call(clientDashboardApi.contacts, key);
  const contact = contacts.findLast(({ name }) => name === 'Zoë');
  if (contact) {
    const { contact_id } = contact;
    await person.call(clientDashboardApi.editContact, { ...key, contact_id, name: 'Zoë B', email: 'zoe@b.example' }, MAY_BE_LATE);
    await person.call(clientDashboardApi.removeContact, { ...key, contact_id }, MAY_BE_LATE);
  }
  await person.call(clientDashboardApi.setTags, { ...key, tags: ['monthly', `t${randomUUID().slice(0, 4)}`] });
  await person.call(clientDashboardApi.addBooksBalance, {
    ...key,
    tax: 'vat',
    balance_pence: pence(-12_345),
    on_date: plainDate('2026-11-01'),
  });
  await person.call(clientDashboardApi.books, key);
  await person.call(
    clientDashboardApi.enterTurnover,
    { ...key, turnover_pence: pence(8_500_000), end_on: plainDate('2026-10-31') },
    { mayEnd: [400] },
  );
  await person.call(clientDashboardApi.turnover, key);
  await person.call(clientDashboardApi.registerPeople, key);
  await person.call(clientDashboardApi.timeline, key);
}

async function authorise(person: Person, key: Client, tax: 'vat' | 'sa'): Promise<void> {
  const { company_id } = key;
  await person.call(authorisationsApi.agentDetails, key);
  await person.call(authorisationsApi.check, { ...key, tax }, MAY_BE_LATE);
  await person.call(authorisationsApi.send, { ...key, tax }, { mayEnd: [400, 409, 422] });
  await person.call(authorisationsApi.email, { ...key, tax, message_id: randomUUID() }, MAY_BE_LATE);
  await person.call(authorisationsApi.cancel, { ...key, tax }, MAY_BE_LATE);
  const bulkParams = { company_id, tax, client_ids: [key.client_id] };
  await person.call(authorisationRequestsApi.preview, bulkParams);
  await person.call(authorisationRequestsApi.start, { ...bulkParams, count: 1 }, MAY_BE_LATE);
  await person.call(authorisationRequestsApi.latest, { company_id, tax });
  await person.call(authorisationRequestsApi.links, { company_id, tax });
  await person.open(REQUEST_LINKS_FILE_PATH, { company_id, tax }, { corrupted: 4, mayEnd: [409] });
  await person.call(authorisationRequestsApi.cancel, { company_id, tax }, MAY_BE_LATE);
}

async function refresh(person: Person, company_id: string, client_id: string): Promise<void> {
  const fewCorruptions = { corrupted: 8, mayEnd: [404, 409, 422] } as const;
  await person.call(syncApi.start, { company_id, tax_type: 'vat', client_ids: [client_id] }, fewCorruptions);
  await person.call(syncApi.cancel, { company_id, tax_type: 'vat' }, fewCorruptions);
  await person.call(syncApi.retry, { company_id, tax_type: 'vat' }, fewCorruptions);
}
