/** For tests: a practice with clients, and an accountant whose login at the bookkeeping software covers their organisations. */
import { memberships } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { PracticeOrganisation } from '@portal/contract/practice-books.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { recordObservation } from './record-observation.ts';
import { jobHandlers } from '../job-handlers.ts';
import { addClient, addPractice, type TestPractice } from './add-practice.ts';
import { seedOrganisation } from './books-steps.ts';
import { openTestPortal, type TestPortal } from './open-test-portal.ts';
import { connectGrant, listOrganisations } from './practice-books-steps.ts';

export const RUN = { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
export const PERIOD_START = '2026-07-01' as PlainDate;
export const PERIOD_END = '2026-09-30' as PlainDate;
export const VRNS = ['123456782', '987654388', '999999973'];

export const getOutcomeParam = (location: string): string | null => new URL(location, 'http://localhost').searchParams.get('outcome');

/** Bookkeeping software that a practice connects once for all its clients. */
type GrantProvider = 'xero' | 'freeagent';

type SeedFacts = { readonly id?: string; readonly companyNumber?: string; readonly ownerEmail?: string; readonly refundPounds?: number };

/** Each test has its own practice. */
export class PracticeBooksSetup {
  readonly portal: TestPortal;
  readonly practice: TestPractice;
  readonly number: number;
  readonly email: string;
  readonly program: GrantProvider;

  constructor(portal: TestPortal, practice: TestPractice, number: number, provider: GrantProvider) {
    this.portal = portal;
    this.practice = practice;
    this.number = number;
    this.program = provider;
    this.email = `accountant${number}@oakline.example`;
  }

  db() {
    return this.portal.deps.database.db;
  }

  person(cookie: string = this.practice.cookies.admin) {
    return { companyId: this.practice.companyId, cookie };
  }

  /** Adds an organisation in the bookkeeping software that the accountant can connect, with a refund of £4,000 for the quarter. */
  seed(name: string, vatNumber: string | null, settings: SeedFacts = {}): string {
    const obligation = { periodStart: PERIOD_START, periodEnd: PERIOD_END };
    return seedOrganisation(this.portal, this.program, { vrn: vatNumber ?? '', obligation } as never, {
      id: `${name.toLowerCase().replaceAll(/\W/g, '-')}-${this.number}`,
      ownerEmail: this.email,
      name,
      vatNumber,
      ...settings,
    }).organisationId;
  }

  async addClientWithReturn(name: string, vrn?: string): Promise<string> {
    const { portal, practice } = this;
    const id = await addClient(portal, practice.companyId, { name, ...(vrn === undefined ? {} : { vrn }) });
    const body = [{ periodKey: '26A3', start: PERIOD_START, end: PERIOD_END, due: '2026-11-07', status: 'open', received: null }];
    const observation = { companyId: practice.companyId, clientId: id, source: 'hmrc', takenAt: portal.deps.clock.now() } as const;
    await this.db().transaction((tx) => recordObservation(tx, { ...observation, kind: 'vat_obligations', body: body as never }));
    return id;
  }

  async connect(): Promise<PracticeOrganisation[]> {
    const outcome = getOutcomeParam(await connectGrant(this.portal, this.person(), this.program, this.email));
    if (outcome !== 'books_connected') throw new Error(`not connected: ${outcome}`);
    await this.portal.runJobs();
    return (await listOrganisations(this.practice.admin, this.practice.companyId)).organisations;
  }

  link(organisationId: string, clientId: string, { browser = this.practice.admin, replace = false } = {}) {
    return browser.post('/open-tax/client-books/link', {
      company_id: this.practice.companyId,
      links: [{ program: this.program, organisation_id: organisationId, client_id: clientId, replace }],
    });
  }

  unlink(organisationId: string, browser = this.practice.admin) {
    const organisation = { company_id: this.practice.companyId, program: this.program, organisation_id: organisationId };
    return browser.post('/open-tax/client-books/unlink', organisation);
  }

  /** Adds one organisation, links it to its client and reads it. */
  async connectClient(name = `Harbour Bakery ${this.number} Ltd`): Promise<{ clientId: string; organisationId: string }> {
    const clientId = await this.addClientWithReturn(name, VRNS[0]);
    this.seed(name, VRNS[0] ?? '');
    // FreeAgent identifies organisations by subdomain, which isn't the simulator's own id.
    const organisationId = (await this.connect()).find((item) => item.name === name)?.organisation_id ?? '';
    const { status, body } = await this.link(organisationId, clientId);
    if (status !== 200) throw new Error(`not linked: ${JSON.stringify(body)}`);
    await this.portal.runJobs();
    return { clientId, organisationId };
  }

  async getClientReturn(clientId: string) {
    const ids = { company_id: this.practice.companyId, client_id: clientId };
    const { body } = await this.practice.admin.get('/client/vat-returns-to-file', ids);
    const [obligation] = body['returns'] as { obligation_id: string }[];
    return { ...ids, obligation_id: obligation?.obligation_id ?? '' };
  }

  /** `key` is a return that was listed earlier, under another VAT number. */
  async getFigures(clientId: string, key?: Awaited<ReturnType<PracticeBooksSetup['getClientReturn']>>) {
    return (await this.practice.admin.get('/client/vat-return', key ?? (await this.getClientReturn(clientId)))).body;
  }

  getState(clientId: string, browser = this.practice.admin) {
    return browser.get('/client/books/connection', { company_id: this.practice.companyId, client_id: clientId });
  }

  async readAgain(clientId: string): Promise<void> {
    await this.practice.admin.post('/client/books/connection/read', { company_id: this.practice.companyId, client_id: clientId });
    await this.portal.runJobs();
  }

  async sweep(): Promise<void> {
    await jobHandlers(this.portal.deps)['books.sweep']({}, RUN);
    await this.portal.runJobs();
  }

  /** Allows the team member to connect clients' books. */
  async permitMember(): Promise<void> {
    const { companyId, memberId } = this.practice;
    await this.db()
      .update(memberships)
      .set({ permissions: ['manage_connections'] })
      .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, memberId)));
  }
}

let setup: PracticeBooksSetup;
let portal: TestPortal;
let number = 0;

/** Opens one portal for the test file. Returns a function that gets the current test's setup. */
export function setUpPracticeBooks(provider: GrantProvider = 'xero'): () => PracticeBooksSetup {
  beforeAll(async () => {
    portal = await openTestPortal();
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    number += 1;
    setup = new PracticeBooksSetup(portal, await addPractice(portal), number, provider);
  });
  return () => setup;
}
