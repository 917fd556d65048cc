import { randomUUID } from 'node:crypto';
import {
  auditEntries,
  bankAccounts,
  contactEntries,
  contactMessages,
  exposureLimits,
  memberships,
  providerHealth,
  undeliverableAddresses,
  users,
} from '@portal/db/schema/schema.ts';
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMailer } from '../../mail/mailer.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createIdempotencyHeaders, createPaidTrader, createTraderWithFiledReturn } from '../../testing/take-advance.ts';
import { createBrowser, createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import { purgeMessages } from '../operator-messages/purge-messages.ts';
import { createHealthRecorder } from './provider-health.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  trader = await createPaidTrader(portal, 'paid@trader.example', 4_031);
});
afterAll(() => portal.close());

type List = Record<string, unknown>[];
const get = async (path: string, query: Record<string, string> = {}, browser = olga) => (await browser.get(path, query)).body;

describe('the health of providers', () => {
  it('shows real calls: the last success, and the last failure with its status', async () => {
    const findHmrcHealth = async () => ((await get('/operator/health'))['providers'] as List).find(({ provider }) => provider === 'hmrc');
    await vi.waitFor(
      async () => expect(await findHmrcHealth()).toMatchObject({ last_success_at: expect.any(String), failures_in_a_row: 0 }),
      WAIT_OPTIONS,
    );
    const failingHealth = {
      provider: 'hmrc',
      lastFailureAt: portal.deps.clock.now(),
      lastFailure: 'GET api: status 503',
      failuresInARow: 1,
    };
    await portal.deps.database.db.update(providerHealth).set(failingHealth).where(eq(providerHealth.provider, 'hmrc'));
    expect(await findHmrcHealth()).toMatchObject({ last_failure: 'GET api: status 503', failures_in_a_row: 1 });
  });

  it('says why a call got no answer, not only that fetch failed', async () => {
    const { watch } = createHealthRecorder(portal.deps.database, portal.deps.clock, portal.deps.logger);
    const address = `127.0.0.1:${await findFreePort()}`;
    await expect(watch('twilio', fetch)(`http://${address}/v2/Services`)).rejects.toThrow('fetch failed');
    const findHealth = async () => ((await get('/operator/health'))['providers'] as List).find(({ provider }) => provider === 'twilio');
    await vi.waitFor(async () => expect(await findHealth()).toMatchObject({ last_failure: `GET ${address}: ECONNREFUSED` }), WAIT_OPTIONS);
  });

  it('includes the mail server: unreachable is a failure, a rejected address is not', async () => {
    const findMailHealth = async () => ((await get('/operator/health'))['providers'] as List).find(({ provider }) => provider === 'mail');
    const { watchMailer } = createHealthRecorder(portal.deps.database, portal.deps.clock, portal.deps.logger);
    const message = { to: 'someone@trader.example', subject: 'Hello', text: 'Hello' };
    const unreachable = watchMailer(createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'Portal <portal@portal.example>' }));
    await expect(unreachable.send(message, randomUUID())).rejects.toThrow('ECONNREFUSED');
    await vi.waitFor(
      async () => expect(await findMailHealth()).toMatchObject({ failures_in_a_row: 1, last_failure: 'SMTP: ESOCKET' }),
      WAIT_OPTIONS,
    );
    const rejectionError = Object.assign(new Error('no such mailbox'), { code: 'EENVELOPE', responseCode: 550 });
    const failingMailer = watchMailer({
      send: () => Promise.reject(rejectionError),
      close: () => undefined,
      address: 'portal@portal.example',
    });
    await expect(failingMailer.send(message, randomUUID())).rejects.toThrow('no such mailbox');
    await vi.waitFor(
      async () => expect(await findMailHealth()).toMatchObject({ failures_in_a_row: 0, last_success_at: expect.any(String) }),
      WAIT_OPTIONS,
    );
  });
});

describe('failed jobs', () => {
  it('are listed with their company, retried, or discarded with a reason, each once and recorded', async () => {
    const { db } = portal.deps.database;
    const ids = { company_id: trader.companyId, obligation_id: randomUUID() };
    for (let count = 0; count < 2; count += 1) await portal.deps.enqueue(db, 'advance.quote', ids);
    await portal.runJobs();
    const listJobs = async () => (await get('/operator/jobs'))['jobs'] as List;
    const [first, second] = await listJobs();
    expect(first).toMatchObject({ kind: 'advance.quote', company_id: trader.companyId });
    const decide = (action: string, job_id: unknown) => olga.post(`/operator/jobs/${action}`, { job_id, reason: 'Looked into it.' });
    const relatedOperator = await createOperator(portal, 'cousin@operators.example');
    const [colleague] = await db.select({ id: users.id }).from(users).where(eq(users.email, 'cousin@operators.example'));
    await db
      .insert(memberships)
      .values({ userId: colleague?.id ?? '', companyId: trader.companyId, role: 'trader_owner', createdAt: portal.deps.clock.now() });
    const ownResponse = await relatedOperator.post('/operator/jobs/discard', { job_id: second?.['job_id'], reason: 'Looked into it.' });
    expect(ownResponse.body['code']).toBe('operator.conflict_of_interest');
    // Other tests list the company's users.
    await db.delete(memberships).where(eq(memberships.userId, colleague?.id ?? ''));
    expect((await decide('retry', first?.['job_id'])).status).toBe(200);
    expect((await decide('discard', second?.['job_id'])).status).toBe(200);
    expect(await listJobs()).toEqual([]);
    expect((await decide('discard', second?.['job_id'])).status).toBe(409);
    const entries = await db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, String(second?.['job_id'])));
    expect(entries).toMatchObject([{ action: 'job.discarded', companyId: trader.companyId, after: { reason: 'Looked into it.' } }]);
  });
});

describe('the audit search', () => {
  it('finds entries by company, person, action and day, page by page', async () => {
    const listEntries = async (query: Record<string, string>) => (await get('/operator/audit', query))['entries'] as List;
    const acceptedEntries = await listEntries({ action: 'advance.', company_id: trader.companyId });
    expect(acceptedEntries.length).toBeGreaterThan(3);
    expect(
      acceptedEntries.every(({ action, company_id }) => String(action).startsWith('advance.') && company_id === trader.companyId),
    ).toBe(true);
    const entriesByUser = await listEntries({ person: 'paid@trader.example' });
    expect(entriesByUser[0]?.['actor']).toBe(`${trader.fullName} (paid@trader.example)`);
    expect(await listEntries({ company_id: trader.companyId, to: '2020-01-01' })).toEqual([]);
    expect(await listEntries({ company_id: trader.companyId, from: portal.deps.clock.today() })).not.toEqual([]);
  });

  it('can be exported as a file, and the export is recorded', async () => {
    const response = await portal.app.inject({ url: '/portal/operator/audit/export?action=advance.', headers: { cookie: trader.cookie } });
    expect(response.statusCode).toBe(404);
    expect((await olga.get('/operator/audit/export', { action: 'advance.' })).status).toBe(200);
    expect((await get('/operator/audit', { action: 'audit.exported' }))['entries']).toMatchObject([{ after: '{"action":"advance."}' }]);
  });
});

describe('messages from the contact page', () => {
  it('are deleted two years after the last reply, complaints after six, and open ones never', async () => {
    const { db } = portal.deps.database;
    const getYearsAgo = (count: number) => toInstant(Date.parse(`${2026 - count}-11-01T09:00:00Z`));
    const add = async (topic: 'refund' | 'complaint', state: 'open' | 'closed', receivedAt: Instant) => {
      const id = randomUUID();
      await db.insert(contactMessages).values({
        id,
        reference: id,
        name: 'Vera',
        email: 'vera@contact.example',
        topic,
        message: 'Please help.',
        receivedAt,
        state,
        closedAt: state === 'closed' ? receivedAt : null,
      });
      return id;
    };
    const oldMessageId = await add('refund', 'closed', getYearsAgo(3));
    const [openMessageId, noted, complaint] = [
      await add('refund', 'open', getYearsAgo(3)),
      await add('refund', 'closed', getYearsAgo(3)),
      await add('complaint', 'closed', getYearsAgo(3)),
    ];
    const oldComplaint = await add('complaint', 'closed', getYearsAgo(7));
    const entry = { kind: 'note', text: 'Asked again', by: randomUUID() } as const;
    await db.insert(contactEntries).values([
      { ...entry, messageId: noted, id: randomUUID(), at: getYearsAgo(1) },
      { ...entry, messageId: oldMessageId, id: randomUUID(), at: getYearsAgo(3) },
    ]);
    await purgeMessages(portal.deps);
    const remainingRows = (await db.select({ id: contactMessages.id }).from(contactMessages)).map(({ id }) => id);
    expect(remainingRows).toEqual(expect.arrayContaining([openMessageId, noted, complaint]));
    for (const deletedId of [oldMessageId, oldComplaint]) expect(remainingRows).not.toContain(deletedId);
    await db.delete(contactMessages);
  });

  const CONTACT_MESSAGE = {
    name: 'Vera Visitor',
    email: 'vera@contact.example',
    topic: 'complaint',
    message: 'My refund is late, please help.',
  };

  it('wait in a queue until someone answers, with the promised day', async () => {
    const { body } = await createBrowser(portal).post('/contact-message', CONTACT_MESSAGE);
    const { messages, counts } = (await get('/operator/messages', { kind: 'complaint' })) as { messages: List; counts: object };
    // Tuesday 10 November 2026: three working days for a complaint, eight weeks for the full response.
    expect(messages).toMatchObject([
      { reference: body['reference'], reply_by: '2026-11-13', final_answer_by: '2027-01-05', state: 'open' },
    ]);
    expect(counts).toMatchObject({ open_complaints: 1, overdue: 0 });
    const reply = { message_id: messages[0]?.['message_id'], entry_id: randomUUID(), text: 'We’re sorry.\n\nIt is paid today.' };
    await olga.post('/operator/message/reply', reply);
    await olga.post('/operator/message/reply', reply);
    await portal.runJobs();
    const emails = portal.sentEmails.filter(({ to }) => to === CONTACT_MESSAGE.email);
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain('It is paid today.');
    const { message, entries } = (await get('/operator/message', { message_id: String(reply.message_id) })) as {
      message: object;
      entries: List;
    };
    expect(message).toMatchObject({ state: 'answered', assigned_to: { name: 'Olga Operator' } });
    expect(entries).toMatchObject([{ kind: 'reply' }]);
    await olga.post('/operator/message/state', { message_id: reply.message_id, state: 'closed' });
    expect(await get('/operator/messages', { state: 'closed' })).toMatchObject({ count: 1, counts: { open: 0, answered: 0, closed: 1 } });
  });
});

describe('companies and limits', () => {
  it('shows a company with its people, identity checks, accounts, HMRC, advances and documents', async () => {
    const returnedCompany = {
      companyId: trader.companyId,
      email: 'gone@trader.example',
      cause: 'no_address',
      detail: '550 5.1.1 no such user',
    } as const;
    await portal.deps.database.db.insert(undeliverableAddresses).values({ ...returnedCompany, reportedAt: portal.deps.clock.now() });
    const page = await get('/operator/company', { company_id: trader.companyId });
    const { companyId: _, ...shownFields } = returnedCompany;
    expect(page['undeliverable']).toMatchObject([shownFields]);
    expect(page).toMatchObject({
      people: [{ email: 'paid@trader.example', role: 'trader_owner', identity: { status: 'passed' } }],
      hmrc: { status: 'connected' },
      exposure: { exposure_pence: 4_031_00 },
      advances: [{ state: 'awaiting_hmrc', outstanding_pence: 4_031_00 }],
    });
    expect((page['documents'] as List).map(({ kind }) => String(kind)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'agreement',
      'books_file',
      'filing_receipt',
    ]);
    expect((page['bank_accounts'] as List).length).toBe(
      (await portal.deps.database.db.select().from(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId))).length,
    );
    expect((await olga.get('/operator/company', { company_id: randomUUID() })).status).toBe(404);
    expect(await get('/operator/companies', { q: trader.vrn })).toMatchObject({
      count: 1,
      companies: [{ exposure_pence: 4_031_00, hmrc: 'connected' }],
    });
  });

  it('changes a limit only once a second operator approves, and the rules then apply it', async () => {
    const limit = { company_id: trader.companyId, limit_pence: 5_000_00, reason: 'Thin file.' };
    const { status, body } = await olga.post('/operator/exposure/limit', limit);
    expect(status).toBe(200);
    const approval = { company_id: trader.companyId, request_id: body['request_id'] };
    expect((await olga.post('/operator/approvals/approve', approval, createIdempotencyHeaders())).status).toBe(409);
    expect(await portal.deps.database.db.select().from(exposureLimits)).toEqual([]);
    expect((await get('/operator/approvals'))['requests']).toMatchObject([
      { description: 'Changes the exposure limit of Tess Exports Ltd from £2,000,000.00 to £5,000.00.' },
    ]);
    expect((await omar.post('/operator/approvals/approve', approval, createIdempotencyHeaders())).status).toBe(200);
    expect((await get('/operator/company', { company_id: trader.companyId }))['exposure']).toEqual({
      exposure_pence: 4_031_00,
      limit_pence: 5_000_00,
    });
    expect((await get('/operator/exposure'))['changes']).toMatchObject([{ company_name: 'Tess Exports Ltd', limit_pence: 5_000_00 }]);
    // The limit for all companies is below what is already outstanding: the next quote fails the rule.
    const totalResponse = await olga.post('/operator/exposure/limit', {
      company_id: null,
      limit_pence: 4_000_00,
      reason: 'Funding line is full.',
    });
    const nil = '00000000-0000-0000-0000-000000000000';
    expect(
      (
        await omar.post(
          '/operator/approvals/approve',
          { company_id: nil, request_id: totalResponse.body['request_id'] },
          createIdempotencyHeaders(),
        )
      ).status,
    ).toBe(200);
    const next = await createTraderWithFiledReturn(portal, 'next@trader.example', 4_043);
    const { body: quoteBody } = await next.browser.get('/instant-vat/advance', { company_id: next.companyId });
    const rules = (quoteBody['advance'] as { rules: { rule: string; outcome: string }[] }).rules;
    expect(rules.find(({ rule }) => rule === 'total_exposure')?.outcome).toBe('fail');
  });
});

describe('the ledger', () => {
  it('is filtered by company, account and words, and links each posting to its advance', async () => {
    const ledger = await get('/operator/ledger', { company_id: trader.companyId });
    expect(ledger['postings']).toMatchObject([{ company_id: trader.companyId, advance_id: expect.any(String) }]);
    expect(ledger).toMatchObject({ difference_pence: 0, total_debit_pence: 4_031_00 });
    expect((await get('/operator/ledger', { company_id: trader.companyId, account: 'bad_debts' }))['postings']).toEqual([]);
    expect((await get('/operator/ledger', { q: 'nothing like it' }))['postings']).toEqual([]);
    const { status } = await olga.get('/operator/ledger/export', { company_id: trader.companyId });
    expect(status).toBe(200);
  });
});
