/** Tests the VAT API with an agent's access token: the same calls as a trader's, for all clients who authorised the agent. */
import { addMonths, plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { createCompaniesHouseSimulator } from '../companies-house/companies-house-simulator.ts';
import { expectProviderError, findEndedObligation, REPAYMENT_BOXES } from '../hmrc/testing/filing.ts';
import type { PortfolioSituation } from '../portfolio/situations.ts';
import { authorise, startAgent, type StartedAgent } from './testing/start-agent.ts';

function findVat(agent: StartedAgent, situation: PortfolioSituation) {
  const client = agent.portfolio.list.find((candidate) => candidate.situation === situation && candidate.vat);
  if (!client?.vat) throw new Error(`no VAT client is ${situation}`);
  return client.vat;
}

describe('an agent', () => {
  it('reads the data of each client situation through the usual calls', async () => {
    const agent = await startAgent();
    const { call, hmrc, portfolio } = agent;
    const { today } = portfolio;
    const open = async (situation: PortfolioSituation) =>
      hmrc.client.listObligations(call, findVat(agent, situation).vrn, { status: 'open' });
    const listOverdueCharges = async (situation: PortfolioSituation) =>
      hmrc.client.listLiabilities(call, findVat(agent, situation).vrn, { from: addMonths(today, -11), to: today });
    expect((await open('overdue_return')).some(({ due }) => due < today)).toBe(true);
    expect((await open('due_soon')).some(({ end, due }) => end < today && due >= today)).toBe(true);
    expect(
      (await listOverdueCharges('overdue_payment')).some(({ outstanding, due }) => outstanding > 0 && due !== undefined && due < today),
    ).toBe(true);
    expect((await listOverdueCharges('refund_coming')).some(({ outstanding }) => outstanding < 0)).toBe(true);
    expect((await open('no_data')).length).toBe(0);
    const insolventError = await expectProviderError(open('insolvent'));
    expect([insolventError.facts.status, insolventError.facts.code]).toEqual([403, 'RULE_INSOLVENT_TRADER']);
    for (const situation of ['authority_revoked', 'never_authorised', 'link_sent'] as const) {
      expect((await expectProviderError(open(situation))).facts.code).toBe('CLIENT_OR_AGENT_NOT_AUTHORISED');
    }
  });

  it('reads penalties: points at the threshold, penalties accruing on an unpaid charge, and none', async () => {
    const agent = await startAgent();
    const read = (situation: PortfolioSituation) => agent.penalties.listPenalties(agent.call, findVat(agent, situation).vrn);
    const latePenalties = await read('penalty_threshold');
    expect(latePenalties.activePoints).toBe(latePenalties.pointsThreshold);
    expect(latePenalties.lateReturns.at(-1)?.charge).toMatchObject({ amount: 20_000, outstanding: 20_000 });
    expect(await read('up_to_date')).toEqual({ activePoints: 0, pointsThreshold: 0, lateReturns: [], latePayments: [] });
    const overdueClients = agent.portfolio.list.filter(({ situation, vat }) => situation === 'overdue_payment' && vat);
    const penaltiesByClient = await Promise.all(overdueClients.map(({ vat }) => agent.penalties.listPenalties(agent.call, vat?.vrn ?? '')));
    const accruing = penaltiesByClient.flatMap(({ latePayments }) => latePayments);
    expect(accruing.length).toBeGreaterThan(0);
    expect(accruing.every(({ status, amount, reference }) => status === 'accruing' && amount > 0 && reference === undefined)).toBe(true);
  });

  it('files a client’s return, which is stored although the client is generated', async () => {
    const agent = await startAgent();
    const { call, hmrc } = agent;
    const { vrn } = findVat(agent, 'due_soon');
    const { periodKey } = await findEndedObligation(hmrc, call, vrn);
    const before = await hmrc.client.listObligations(call, vrn, { status: 'open' });
    expect(await hmrc.client.submitReturn(call, vrn, periodKey, REPAYMENT_BOXES)).toMatchObject({
      formBundleNumber: expect.stringMatching(/^\d{12}$/),
    });
    expect(await hmrc.client.findReturn(call, vrn, periodKey)).toEqual(REPAYMENT_BOXES);
    expect((await expectProviderError(hmrc.client.submitReturn(call, vrn, periodKey, REPAYMENT_BOXES))).facts.code).toBe(
      'DUPLICATE_SUBMISSION',
    );
    hmrc.moveClock('2026-11-25T08:00:00Z');
    const laterCall = await authorise(hmrc, 'oakline');
    const after = await hmrc.client.listObligations(laterCall, vrn, { status: 'open' });
    expect(after.map((obligation) => obligation.periodKey)).toEqual(
      before.map((obligation) => obligation.periodKey).filter((key) => key !== periodKey),
    );
  });

  it('sees new periods as time passes, and a direct debit that was collected', async () => {
    const agent = await startAgent();
    const { hmrc } = agent;
    const client = agent.portfolio.list.find(
      ({ situation, vat }) => situation === 'up_to_date' && vat?.stagger === 1 && vat.history === 'payer',
    );
    const vrn = client?.vat?.vrn ?? '';
    const before = await hmrc.client.listObligations(agent.call, vrn, { status: 'open' });
    hmrc.moveClock('2027-01-02T09:00:00Z');
    const after = await hmrc.client.listObligations(await authorise(hmrc, 'oakline'), vrn, { status: 'open' });
    expect(after.map(({ start }) => start)).toEqual([...before.map(({ start }) => start), '2027-01-01']);
  });

  it('sees the changes that the control page makes to a generated client', async () => {
    const agent = await startAgent();
    const { call, hmrc } = agent;
    const { vrn } = findVat(agent, 'up_to_date');
    const listOverdue = async () =>
      (await hmrc.client.listObligations(call, vrn, { status: 'open' })).filter(({ due }) => due < agent.portfolio.today).length;
    expect(await listOverdue()).toBe(0);
    await hmrc.controls.chooseSituation(vrn, 'overdue_return');
    expect(await listOverdue()).toBe(1);
    await hmrc.controls.chooseSituation(vrn, 'normal');
    expect(await listOverdue()).toBe(0);
    hmrc.controls.setHistory(vrn, { fulfilledPeriods: 2, kind: 'exporter' });
    const year = { from: addMonths(agent.portfolio.today, -12), to: agent.portfolio.today, status: 'fulfilled' } as const;
    expect((await hmrc.client.listObligations(call, vrn, year)).length).toBe(2);
    const { vrn: claimantVrn } = findVat(agent, 'refund_coming');
    const claim = hmrc.controls.listRepayments(claimantVrn).find(({ stage }) => stage === 'INITIAL');
    await hmrc.controls.moveRepayment(claimantVrn, claim?.periodKey ?? '', 'PAID');
    const credits = await hmrc.client.listLiabilities(call, claimantVrn, {
      from: addMonths(agent.portfolio.today, -11),
      to: agent.portfolio.today,
    });
    expect(credits.every(({ outstanding }) => outstanding === 0)).toBe(true);
  });

  it('finds the same clients in the company register', async () => {
    const agent = await startAgent();
    const register = createCompaniesHouseSimulator({ ...agent.hmrc.deps, publicUrl: 'http://localhost/companies-house' }).controls;
    const client = agent.portfolio.list.find(({ index, company }) => index > 0 && company);
    expect(register.findCompany(client?.company?.number ?? '')).toMatchObject({ name: client?.name.toUpperCase() });
    expect(register.findCompany('05518273')?.name).toBe('HARLOW JOINERY LTD');
    agent.hmrc.deps.store.reset();
    expect(register.findCompany(client?.company?.number ?? '')).toBeUndefined();
  });
});

describe('the client’s page at HMRC', () => {
  const fetchPage = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { redirect: 'manual', ...init });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  it('asks the client to sign in, accepts the answer once and shows it', async () => {
    const agent = await startAgent();
    const { vrn } = findVat(agent, 'link_sent');
    const request = agent.agents.listInvitations(agent.arn).find(({ clientId }) => clientId === vrn);
    const url = request?.clientActionUrl ?? '';
    const firstResponse = await fetchPage(url);
    expect([firstResponse.status, firstResponse.text.includes('Sign in as')]).toEqual([200, true]);
    const userId = /name="chosenUserId" value="([^"]+)"/.exec(firstResponse.text)?.[1] ?? '';
    const action = /action="([^"]+)"/.exec(firstResponse.text)?.[1] ?? '';
    const signedInResponse = await fetchPage(action, { method: 'POST', body: new URLSearchParams({ chosenUserId: userId }) });
    const cookie = (signedInResponse.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const signedInPage = await fetchPage(url, { headers: { cookie } });
    expect(signedInPage.text).toContain('Do you want Oakline Accounting Ltd to deal with your VAT?');
    expect(signedInPage.text).not.toContain('<script');
    const outsiderResponse = await fetchPage(`${url}?sandbox_user=oakline`, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'accept' }),
    });
    expect(outsiderResponse.text).toContain('Only the client can respond');
    expect((await fetchPage(url, { method: 'POST', headers: { cookie }, body: new URLSearchParams({ decision: 'maybe' }) })).status).toBe(
      400,
    );
    expect((await fetchPage(url, { method: 'POST', headers: { cookie }, body: new URLSearchParams({ decision: 'accept' }) })).status).toBe(
      303,
    );
    expect((await fetchPage(url)).text).toContain('can now deal with your VAT');
    expect((await agent.hmrc.client.findVatInformation(agent.call, vrn))?.registeredOn).toBe(findVat(agent, 'link_sent').registeredOn);
    expect((await fetchPage(url.replace(/[^/]+(?=\/oakline)/, 'CS5AK7O8FPC43'))).status).toBe(404);
  });

  it('says that a request has expired', async () => {
    const agent = await startAgent();
    const { vrn } = findVat(agent, 'link_sent');
    const url = agent.agents.listInvitations(agent.arn).find(({ clientId }) => clientId === vrn)?.clientActionUrl ?? '';
    agent.hmrc.moveClock('2026-12-20T10:00:00Z');
    expect((await fetchPage(url)).text).toContain('has expired');
    expect(plainDate('2026-12-20') > agent.portfolio.today).toBe(true);
  });
});

it('an agent signs in at HMRC by name and sees which clients the authorisation covers', async () => {
  const { hmrc } = await startAgent({ clients: 13 });
  const url = new URL(hmrc.client.authorizeUrl({ state: 's', scopes: ['read:vat', 'read:sent-invitations'] }));
  const signIn = await (await fetch(`${hmrc.wwwUrl}/sign-in`)).text();
  expect(signIn).toContain('Oakline Accounting Ltd (agent ');
  url.pathname = url.pathname.replace('authorize', 'grant');
  url.searchParams.set('sandbox_user', 'oakline');
  const decisionPage = await (await fetch(url)).text();
  expect(decisionPage).toContain('This covers the clients who have authorised you');
  expect(decisionPage).toContain('view the authorisation requests you have sent');
});
