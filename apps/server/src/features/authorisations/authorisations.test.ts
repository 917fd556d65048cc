/**
 * Tests requesting authorisation from clients at the HMRC simulator, expiring requests and reading responses (docs/reference/hmrc.md
 * section 5).
 */
import { auditEntries, clientAuthorisations, clients, hmrcConnections, practices } from '@portal/db/schema/schema.ts';
import { AUTHORISATIONS, FILTERED_STATUSES, getAuthorisationStatus } from '@portal/domain/authorisations/describe-authorisation.ts';
import { parseInstant, toLondonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { OAKLINE } from '@portal/sandbox/portfolio/oakline.ts';
import type { PortfolioClient } from '@portal/sandbox/portfolio/portfolio-client.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAsAgent } from '../../testing/agent-steps.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { getAuthorisationStatusSql } from './authorisation-status-sql.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

type Authorisation = { tax: string; status: string; sentence: string; acts: string[]; needs: string | null } & Record<string, unknown>;

let portal: TestPortal;
let practice: TestPractice;
let portfolio: readonly PortfolioClient[];

beforeAll(async () => {
  portal = await openTestPortal();
  portfolio = portal.agents.loadPortfolio({ clients: 400, seed: 7, today: portal.deps.clock.today() }).list;
  practice = await addPractice(portal);
  await portal.deps.database.db.update(practices).set({ agentCodePaye: 'P1234' }).where(eq(practices.companyId, practice.companyId));
  await connectAsAgent(portal, practice.companyId);
});
afterAll(() => portal.close());

const usedCodes = new Set<string>();

/** Adds an unused client in the given situation from the seed data, with the details known to the practice. */
async function addClientInSituation(
  situation: PortfolioClient['situation'],
  { tax = 'vat', hasFact = true }: { tax?: 'vat' | 'sa'; hasFact?: boolean } = {},
) {
  const seededClient = portfolio.find(
    (entry) =>
      entry.situation === situation &&
      !usedCodes.has(entry.code) &&
      (tax === 'vat' ? entry.vat : entry.selfAssessment?.business?.agentType === 'main'),
  );
  if (!seededClient) throw new Error(`no further client is ${situation}`);
  usedCodes.add(seededClient.code);
  const { name, kind, vat, nino, address } = seededClient;
  const taxes = tax === 'vat' ? (['vat', 'paye'] as const) : (['sa'] as const);
  const id = await addClient(portal, practice.companyId, {
    name,
    kind,
    taxes,
    ...(tax === 'vat' && vat ? { vrn: vat.vrn } : {}),
    ...(tax === 'sa' && nino !== undefined ? { nino } : {}),
  });
  const fact = tax === 'vat' ? { vatRegisteredOn: vat?.registeredOn ?? null } : { postcode: address.postcode };
  if (hasFact) await portal.deps.database.db.update(clients).set(fact).where(eq(clients.id, id));
  const ids = { company_id: practice.companyId, client_id: id };
  const performAction = async (action: string, extra: object = {}): Promise<Authorisation> => {
    const { status, body } = await practice.admin.post(`/open-tax/authorisations/${action}`, { ...ids, tax, ...extra });
    if (status !== 200) throw new Error(`${action}: ${status} ${JSON.stringify(body)}`);
    return body as Authorisation;
  };
  const load = async (): Promise<Authorisation> => {
    const { body } = await practice.admin.get('/client/agent-details', ids);
    const foundAuthorisation = (body['authorisations'] as Authorisation[]).find((entry) => entry.tax === tax);
    if (!foundAuthorisation) throw new Error('the client has no authorisation for this tax');
    return foundAuthorisation;
  };
  return { seeded: seededClient, id, ids, press: performAction, look: load };
}

const findPendingRequest = (clientId: string | undefined) => {
  const foundInvitation = portal.agents
    .listInvitations(OAKLINE.arn)
    .find((entry) => entry.clientId === clientId && entry.status === 'Pending');
  if (!foundInvitation) throw new Error('no request waits');
  return foundInvitation;
};

describe('client authorisation', () => {
  it.each(['vat', 'sa'] as const)('for %s is requested, accepted by the client and later revoked', async (tax) => {
    const client = await addClientInSituation('never_authorised', { tax });
    const reference = tax === 'vat' ? client.seeded.vat?.vrn : client.seeded.nino;
    expect(await client.look()).toMatchObject({ status: 'not_checked', acts: ['send', 'check'], client_action_url: null });
    const sendResponse = await client.press('send');
    const request = findPendingRequest(reference);
    expect(sendResponse).toMatchObject({
      status: 'link_sent',
      link_day: expect.any(Number),
      link_days: 21,
      client_action_url: request.clientActionUrl,
    });
    expect((await client.press('check')).status).toBe('link_sent');
    portal.agents.answerInvitation(request.invitationId, 'accept');
    expect(await client.press('check')).toMatchObject({ status: 'authorised', client_action_url: null });
    portal.agents.revoke(OAKLINE.arn, tax === 'vat' ? 'MTD-VAT' : 'MTD-IT', reference ?? '');
    expect(await client.press('check')).toMatchObject({ status: 'revoked', acts: ['send', 'check'] });
  });

  it('is not requested twice: a pending request is found again', async () => {
    const client = await addClientInSituation('link_sent');
    const [first, second] = await Promise.all([client.press('send'), client.press('send')]);
    expect([first.status, second.status, second['client_action_url']]).toEqual(['link_sent', 'link_sent', first['client_action_url']]);
  });

  it('that already exists is found', async () => {
    const client = await addClientInSituation('up_to_date');
    expect((await client.press('send')).status).toBe('authorised');
    const otherClient = await addClientInSituation('up_to_date');
    expect((await otherClient.press('check')).status).toBe('authorised');
  });

  it('declined by the client is shown as declined and can be requested again', async () => {
    const client = await addClientInSituation('never_authorised');
    await client.press('send');
    portal.agents.answerInvitation(findPendingRequest(client.seeded.vat?.vrn).invitationId, 'reject');
    expect(await client.press('check')).toMatchObject({ status: 'not_started', sentence: 'The client declined your last request.' });
    expect((await client.press('send')).status).toBe('link_sent');
  });

  it('can be cancelled while pending, which makes the link invalid', async () => {
    const client = await addClientInSituation('never_authorised');
    await client.press('send');
    expect(await client.press('cancel')).toMatchObject({ status: 'not_started', client_action_url: null, acts: ['send', 'check'] });
    expect(() => findPendingRequest(client.seeded.vat?.vrn)).toThrow('no request waits');
    const secondResponse = await practice.admin.post('/open-tax/authorisations/cancel', { ...client.ids, tax: 'vat' });
    expect([secondResponse.status, secondResponse.body['code']]).toEqual([409, 'authorisation.no_pending_request']);
  });

  it("shows the client's answer when it was given before the cancellation", async () => {
    const client = await addClientInSituation('never_authorised');
    await client.press('send');
    portal.agents.answerInvitation(findPendingRequest(client.seeded.vat?.vrn).invitationId, 'accept');
    expect((await client.press('cancel')).status).toBe('authorised');
  });

  it('requires the fact that HMRC checks, and stores it once HMRC has accepted it', async () => {
    const client = await addClientInSituation('never_authorised', { hasFact: false });
    expect(await client.look()).toMatchObject({ acts: ['send'], needs: 'vat_registered_on' });
    const unauthorisedResponse = await practice.admin.post('/open-tax/authorisations/send', { ...client.ids, tax: 'vat' });
    expect([unauthorisedResponse.status, unauthorisedResponse.body['message']]).toMatchObject([
      400,
      { vat_registered_on: expect.any(String) },
    ]);
    const wrongDateResponse = await client.press('send', { vat_registered_on: '1999-01-01' });
    expect(wrongDateResponse).toMatchObject({
      status: 'not_started',
      needs: 'vat_registered_on',
      sentence: expect.stringContaining('registration date'),
    });
    expect((await client.press('send', { vat_registered_on: client.seeded.vat?.registeredOn })).status).toBe('link_sent');
    const [storedClient] = await portal.deps.database.db.select().from(clients).where(eq(clients.id, client.id));
    expect(storedClient?.vatRegisteredOn).toBe(client.seeded.vat?.registeredOn);
  });

  it('of an insolvent client is suspended', async () => {
    const client = await addClientInSituation('insolvent');
    portal.agents.revoke(OAKLINE.arn, 'MTD-VAT', client.seeded.vat?.vrn ?? '');
    expect((await client.press('send')).status).toBe('suspended');
  });

  it('is unsupported for PAYE, with advice on what to do instead', async () => {
    const client = await addClientInSituation('up_to_date');
    const { body } = await practice.admin.get('/client/agent-details', client.ids);
    expect((body['authorisations'] as Authorisation[]).find(({ tax }) => tax === 'paye')).toMatchObject({
      status: 'unsupported',
      next: expect.stringContaining('P1234'),
    });
    expect((await practice.admin.post('/open-tax/authorisations/send', { ...client.ids, tax: 'paye' })).status).toBe(400);
  });

  it('returns 404 to a team member who is not assigned', async () => {
    const client = await addClientInSituation('never_authorised');
    expect((await practice.member.get('/client/agent-details', client.ids)).status).toBe(404);
    expect((await practice.member.post('/open-tax/authorisations/send', { ...client.ids, tax: 'vat' })).status).toBe(404);
    await assignClient(portal, practice.companyId, client.id, practice.memberId);
    expect((await practice.member.post('/open-tax/authorisations/send', { ...client.ids, tax: 'vat' })).status).toBe(200);
    const entries = await portal.deps.database.db
      .select({ actor: auditEntries.actor, after: auditEntries.after })
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.subject, client.id)))
      .orderBy(auditEntries.sequence);
    expect(entries).toMatchObject([
      { actor: practice.memberId, after: { status: 'link_sent', tax: 'vat' } },
      { actor: practice.memberId, after: { reason: 'no_email', tax: 'vat' } },
    ]);
  });

  it('cannot be requested while the practice is not connected to HMRC', async () => {
    const otherPractice = await addPractice(portal);
    const id = await addClient(portal, otherPractice.companyId, { vrn: '482193730' });
    const ids = { company_id: otherPractice.companyId, client_id: id };
    await portal.deps.database.db.insert(hmrcConnections).values({ companyId: otherPractice.companyId, status: 'declined' });
    await portal.deps.database.db
      .update(clients)
      .set({ vatRegisteredOn: portfolio[0]?.vat?.registeredOn ?? null })
      .where(eq(clients.id, id));
    const { body } = await otherPractice.admin.get('/client/agent-details', ids);
    expect(body['authorisations']).toMatchObject([{ acts: [], next: expect.stringContaining('Connect to HMRC before') }]);
    const checkedResponse = await otherPractice.admin.post('/open-tax/authorisations/check', { ...ids, tax: 'vat' });
    expect([checkedResponse.status, checkedResponse.body['code']]).toEqual([409, 'hmrc.not_connected']);
  });

  it('has one status in the list, its filters, the file, the client’s page and the counts', async () => {
    const client = await addClientInSituation('never_authorised');
    const { company_id } = client.ids;
    const readStatus = async () => {
      const load = async (path: string, query: object) => (await practice.admin.get(path, { company_id, ...query })).body;
      const listedClients = (await load('/open-tax/client-companies', { q: client.seeded.name }))['clients'] as { attention: string }[];
      const sync = (await load('/client/sync-data', { client_id: client.id }))['taxes'] as { tax_type: string; reason: unknown }[];
      const steps = (await load('/open-tax/client-taxes', { client_company_id: client.id }))['taxes'];
      const found: string[] = [];
      for (const authorisation of ['missing', 'not_checked', 'pending', 'authorised'] as const) {
        const filters = { tax: 'vat', authorisation, status: 'in_hand' };
        const { count } = (await load('/open-tax/client-companies/count', filters)) as { count: number };
        const authorisationCounts = (await load('/open-tax/connection-status', { tax_type: 'vat' }))['authorisations'] as {
          status: string;
          clients: number;
        }[];
        const statuses: readonly string[] = FILTERED_STATUSES[authorisation];
        // Every count equals the number of clients in its list.
        expect(authorisationCounts.filter((item) => statuses.includes(item.status)).reduce((sum, item) => sum + item.clients, 0)).toBe(
          count,
        );
        const { count: ownCount } = (await load('/open-tax/client-companies/count', { ...filters, q: client.seeded.name })) as {
          count: number;
        };
        if (ownCount === 1) found.push(authorisation);
      }
      const fileResponse = await portal.app.inject({
        url: '/portal/open-tax/export-table',
        query: { company_id, q: client.seeded.name },
        headers: { cookie: practice.cookies.admin },
      });
      return {
        page: (await client.look()).status,
        taxes: (steps as { tax: string; authorisation: string }[]).find(({ tax }) => tax === 'vat')?.authorisation,
        attention: listedClients[0]?.attention,
        reason: sync.find(({ tax_type }) => tax_type === 'vat')?.reason ?? null,
        found,
        file: fileResponse.body.split('\r\n')[1]?.split(',').at(-2),
      };
    };
    // HMRC hasn't been queried yet, which isn't the same as “not authorised”.
    expect(await readStatus()).toMatchObject({
      page: 'not_checked',
      taxes: 'not_checked',
      attention: expect.not.stringMatching('authoris'),
      found: ['not_checked'],
      file: 'Not checked yet',
    });
    await practice.admin.post('/open-tax/sync', { company_id, tax_type: 'vat', client_ids: [client.id] });
    await portal.runJobs();
    expect(await readStatus()).toMatchObject({
      page: 'not_started',
      taxes: 'not_started',
      attention: 'not_authorised',
      reason: { code: 'not_authorised' },
      found: ['missing'],
    });
    await client.press('send');
    expect(await readStatus()).toMatchObject({
      page: 'link_sent',
      taxes: 'link_sent',
      attention: 'authorisation_pending',
      found: ['pending'],
    });
    portal.agents.answerInvitation(findPendingRequest(client.seeded.vat?.vrn).invitationId, 'accept');
    await client.press('check');
    expect(await readStatus()).toEqual({
      page: 'authorised',
      taxes: 'authorised',
      attention: expect.not.stringMatching('authoris'),
      reason: null,
      found: ['authorised'],
      file: 'Authorised',
    });
  });

  it('says that a request made elsewhere may be pending, because HMRC’s list names no clients', async () => {
    const client = await addClientInSituation('never_authorised');
    await client.press('send');
    // Has the same effect as a request made on HMRC's website.
    await portal.deps.database.db.delete(clientAuthorisations).where(eq(clientAuthorisations.clientId, client.id));
    expect(await client.press('check')).toMatchObject({
      status: 'not_started',
      sentence: expect.stringContaining('One may be for this client'),
      acts: ['send', 'check'],
    });
    expect((await client.press('send')).status).toBe('link_sent');
  });

  it('has the same status in SQL as in the rule', async () => {
    const today = portal.deps.clock.today();
    const id = await addClient(portal, practice.companyId, { vrn: '482193730' });
    const key = { companyId: practice.companyId, clientId: id, tax: 'vat' as const };
    const db = portal.deps.database.db;
    const readSql = async () => {
      const status = getAuthorisationStatusSql(sql`${key.companyId}::uuid`, sql`${id}::uuid`, 'vat', sql`${today}::date`);
      return (await db.execute<{ status: string }>(sql`select ${status} as status`)).rows[0]?.status;
    };
    const facts = { tax: 'vat', hmrcConnection: 'connected', today } as const;
    expect(await readSql()).toBe(getAuthorisationStatus({ ...facts, status: null, sentOn: null, expiresOn: null }));
    await db.insert(clientAuthorisations).values({ ...key, status: 'not_started' });
    for (const status of AUTHORISATIONS)
      for (const sentOn of [null, addDays(today, -20), addDays(today, -21), addDays(today, -22)])
        for (const expiresOn of [null, addDays(today, -1), today, addDays(today, 1)]) {
          // In summer, 22:30 UTC is 23:30 in London, just before midnight.
          const sentAt = sentOn === null ? null : parseInstant(`${sentOn}T22:30:00Z`);
          await db.update(clientAuthorisations).set({ status, sentAt, expiresOn }).where(eq(clientAuthorisations.clientId, id));
          const expected = getAuthorisationStatus({ ...facts, status, sentOn: sentAt ? toLondonDate(sentAt) : null, expiresOn });
          expect([status, sentOn, expiresOn, await readSql()]).toEqual([status, sentOn, expiresOn, expected]);
        }
  });

  // Keep this test last, because it moves the clock.
  it('is updated by the job when the client answers, and expires on the date of the request', async () => {
    const [answeredClient, silentClient] = [await addClientInSituation('never_authorised'), await addClientInSituation('never_authorised')];
    await answeredClient.press('send');
    const { expires_on } = await silentClient.press('send');
    portal.agents.answerInvitation(findPendingRequest(answeredClient.seeded.vat?.vrn).invitationId, 'accept');
    await portal.deps.enqueue(portal.deps.database.db, 'authorisations.sweep', {});
    await portal.runJobs();
    // Checked a moment ago, so HMRC isn't called again.
    expect((await answeredClient.look()).status).toBe('link_sent');
    portal.moveClock('2026-11-10T15:00:00.000Z');
    await portal.deps.enqueue(portal.deps.database.db, 'authorisations.sweep', {});
    await portal.runJobs();
    expect([(await answeredClient.look()).status, (await silentClient.look()).status]).toEqual(['authorised', 'link_sent']);
    portal.moveClock(`${String(expires_on)}T09:00:00.000Z`);
    expect((await silentClient.look()).status).toBe('expired');
    await portal.deps.enqueue(portal.deps.database.db, 'authorisations.sweep', {});
    await portal.runJobs();
    expect(await silentClient.look()).toMatchObject({ status: 'expired', acts: ['send', 'check'], client_action_url: null });
  });
});
