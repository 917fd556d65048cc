/**
 * Tests the client of Agent Authorisation 2.0 against the simulator over real HTTP. Checks responses against HMRC's API description, and
 * the special cases of docs/reference/hmrc.md section 5.
 */
import { addDays } from '@portal/domain/plain-date.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { describe, expect, it } from 'vitest';
import { expectProviderError } from '../hmrc/testing/filing.ts';
import { buildSourceNote, HMRC_DESCRIPTIONS } from '../testing/published-source.ts';
import { publishedDescriptions } from '../hmrc/testing/start-hmrc.ts';
import { AGENT_DEVIATIONS } from '../hmrc/testing/published-descriptions.ts';
import type { PortfolioClient } from '../portfolio/portfolio-client.ts';
import type { PortfolioSituation } from '../portfolio/situations.ts';
import { isInvitationId } from './invitation-id.ts';
import { createUser, authorise, TEST_TIME, readError, startAgent, type StartedAgent } from './testing/start-agent.ts';

const source = buildSourceNote(HMRC_DESCRIPTIONS, publishedDescriptions);

function findVatClient(agent: StartedAgent, situation: PortfolioSituation) {
  const client = agent.portfolio.list.find((candidate) => candidate.situation === situation && candidate.vat);
  if (!client?.vat) throw new Error(`no VAT client is ${situation}`);
  return { client, vat: { service: 'vat', vrn: client.vat.vrn, registeredOn: client.vat.registeredOn } as const };
}

function findIncomeTaxClient(agent: StartedAgent, matches: (client: PortfolioClient) => boolean = () => true) {
  const client = agent.portfolio.list.find((candidate) => candidate.selfAssessment?.business && matches(candidate));
  if (!client?.nino) throw new Error('no client is signed up');
  return { client, tax: { service: 'income_tax', nino: client.nino, postcode: client.address.postcode } as const };
}

const buildBody = (overrides: Record<string, unknown> = {}) => ({
  service: 'MTD-VAT',
  clientType: 'business',
  clientIdType: 'vrn',
  clientId: '101747696',
  knownFact: '2007-05-18',
  ...overrides,
});

describe('a request for a client’s authorisation', () => {
  it('is sent, listed and accepted by the client, and then gives access to the client’s VAT', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation, hmrc } = agent;
    const { vat } = findVatClient(agent, 'never_authorised');
    const before = await expectProviderError(hmrc.client.listObligations(call, vat.vrn, { status: 'open' }));
    expect([before.facts.status, before.facts.code]).toEqual([403, 'CLIENT_OR_AGENT_NOT_AUTHORISED']);
    expect(await authorisation.checkRelationship(call, arn, vat)).toEqual({ outcome: 'none' });

    const newInvitation = await authorisation.sendInvitation(call, arn, vat);
    if (newInvitation.outcome !== 'sent') throw new Error(newInvitation.outcome);
    expect(isInvitationId(newInvitation.invitationId)).toBe(true);
    const pendingInvitation = await authorisation.findInvitation(call, arn, newInvitation.invitationId);
    expect(pendingInvitation).toMatchObject({
      invitationId: newInvitation.invitationId,
      arn,
      service: 'vat',
      status: 'pending',
      createdAt: new Date(TEST_TIME).toISOString(),
      expiresOn: addDays(agent.portfolio.today, 21),
      clientActionUrl: expect.stringContaining('/appoint-someone-to-deal-with-HMRC-for-you/'),
    });
    expect(pendingInvitation?.updatedAt).toBeUndefined();

    agent.agents.answerInvitation(newInvitation.invitationId, 'accept');
    expect(await authorisation.findInvitation(call, arn, newInvitation.invitationId)).toMatchObject({
      status: 'accepted',
      updatedAt: new Date(TEST_TIME).toISOString(),
    });
    expect(await authorisation.checkRelationship(call, arn, vat)).toEqual({ outcome: 'active' });
    expect((await hmrc.client.listObligations(call, vat.vrn, { status: 'open' })).length).toBeGreaterThan(0);
    expect(await authorisation.sendInvitation(call, arn, vat)).toEqual({ outcome: 'already_authorised' });
  });

  it('returns the ID of a pending request, and sends a new one once that is cancelled', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation } = agent;
    const { vat } = findVatClient(agent, 'never_authorised');
    const first = await authorisation.sendInvitation(call, arn, vat);
    const invitationId = first.outcome === 'sent' ? first.invitationId : '';
    expect(await authorisation.sendInvitation(call, arn, vat)).toEqual({ outcome: 'already_pending', invitationId });
    expect(await authorisation.cancelInvitation(call, arn, invitationId)).toBe('cancelled');
    expect(await authorisation.cancelInvitation(call, arn, invitationId)).toBe('closed');
    expect(await authorisation.cancelInvitation(call, arn, 'CS5AK7O8FPC43')).toBe('unknown');
    expect(await authorisation.findInvitation(call, arn, 'CS5AK7O8FPC43')).toBeUndefined();
    const second = await authorisation.sendInvitation(call, arn, vat);
    expect(second).toMatchObject({ outcome: 'sent' });
    expect(second.outcome === 'sent' && second.invitationId !== invitationId).toBe(true);
  });

  it('expires after 21 days of the sandbox clock, is listed for 30 days and can be sent again', async () => {
    const agent = await startAgent({ clients: 0 });
    const { arn, authorisation, hmrc } = agent;
    const person = await createUser(hmrc, 'individuals', ['mtd-income-tax']);
    const tax = { service: 'income_tax', nino: person.nino ?? '', postcode: 'bs1 4dj' } as const;
    expect(await authorisation.listInvitations(agent.call, arn)).toEqual([]);
    expect(await authorisation.sendInvitation(agent.call, arn, tax)).toMatchObject({ outcome: 'sent' });
    const getStatusAfter = async (days: number) => {
      hmrc.moveClock(new Date(Date.parse(TEST_TIME) + days * 86_400_000).toISOString());
      const listedInvitations = await authorisation.listInvitations(await authorise(hmrc, 'oakline'), arn);
      return listedInvitations.map(({ status }) => status);
    };
    expect(await getStatusAfter(20)).toEqual(['pending']);
    expect(await getStatusAfter(21)).toEqual(['expired']);
    expect(() => agent.agents.answerInvitation(agent.agents.listInvitations(arn)[0]?.invitationId ?? '', 'accept')).toThrow(/expired/);
    expect(await authorisation.sendInvitation(await authorise(hmrc, 'oakline'), arn, tax)).toMatchObject({ outcome: 'sent' });
    expect(await getStatusAfter(30)).toEqual(['pending', 'expired']);
    expect(await getStatusAfter(31)).toEqual(['pending']);
  });

  it('reports why HMRC rejects a client', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation } = agent;
    const { vat } = findVatClient(agent, 'never_authorised');
    const { tax } = findIncomeTaxClient(agent);
    const { client, vat: insolvent } = findVatClient(agent, 'insolvent');
    agent.agents.revoke(arn, 'MTD-VAT', client.vat?.vrn ?? '');
    const getOutcome = async (invitationRequest: Parameters<typeof authorisation.sendInvitation>[2]) => {
      const [invitationResult, checkOutcome] = [
        await authorisation.sendInvitation(call, arn, invitationRequest),
        await authorisation.checkRelationship(call, arn, invitationRequest),
      ];
      expect(checkOutcome).toEqual(invitationResult);
      return invitationResult.outcome === 'refused' ? invitationResult.reason : invitationResult.outcome;
    };
    expect(await getOutcome({ ...vat, registeredOn: addDays(vat.registeredOn, 1) })).toBe('registration_date_differs');
    expect(await getOutcome({ ...vat, vrn: '100190874' })).toBe('client_unknown');
    expect(await getOutcome({ ...vat, vrn: 'x' })).toBe('reference_malformed');
    expect(await getOutcome({ ...tax, postcode: 'ZZ9 9ZZ' })).toBe('postcode_differs');
    expect(await getOutcome({ ...tax, postcode: 'nowhere' })).toBe('postcode_malformed');
    expect(await getOutcome({ ...tax, nino: 'AA000000A' })).toBe('client_unknown');
    expect(await getOutcome(insolvent)).toBe('client_insolvent');
  });

  it('distinguishes main and supporting agents of income tax', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation } = agent;
    const { tax } = findIncomeTaxClient(
      agent,
      (candidate) => candidate.situation === 'up_to_date' && candidate.selfAssessment?.business?.agentType === 'main',
    );
    expect(await authorisation.checkRelationship(call, arn, tax)).toEqual({ outcome: 'active' });
    expect(await authorisation.checkRelationship(call, arn, { ...tax, agentType: 'supporting' })).toEqual({ outcome: 'none' });
    expect(await authorisation.sendInvitation(call, arn, { ...tax, agentType: 'supporting' })).toMatchObject({ outcome: 'sent' });
    expect((await authorisation.listInvitations(call, arn))[0]).toMatchObject({ service: 'income_tax', agentType: 'supporting' });
  });
});

describe('an authorisation that ends', () => {
  it('closes the client’s records at once, when the agent or the client ends it', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation, hmrc } = agent;
    const { client, vat } = findVatClient(agent, 'up_to_date');
    expect(await hmrc.client.findVatInformation(call, vat.vrn)).toEqual({ registeredOn: client.vat?.registeredOn });
    expect(await authorisation.deauthorise(call, arn, vat)).toBe('ended');
    expect(await authorisation.deauthorise(call, arn, vat)).toBe('none');
    expect((await expectProviderError(hmrc.client.findVatInformation(call, vat.vrn))).facts.code).toBe('CLIENT_OR_AGENT_NOT_AUTHORISED');

    const { tax } = findIncomeTaxClient(agent, (candidate) => candidate.situation === 'up_to_date');
    expect(await agent.selfAssessment.findAccount(call, tax.nino)).toBeDefined();
    expect(agent.agents.revoke(arn, 'MTD-IT', tax.nino)).toBe(true);
    expect((await expectProviderError(agent.selfAssessment.findAccount(call, tax.nino))).facts.code).toBe('CLIENT_OR_AGENT_NOT_AUTHORISED');
  });

  it('changes the status of the accepted request', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation } = agent;
    const { vat } = findVatClient(agent, 'link_sent');
    const sentInvitation = await authorisation.sendInvitation(call, arn, vat);
    const invitationId = sentInvitation.outcome === 'already_pending' ? (sentInvitation.invitationId ?? '') : '';
    agent.agents.answerInvitation(invitationId, 'accept');
    await authorisation.deauthorise(call, arn, vat);
    expect((await authorisation.findInvitation(call, arn, invitationId))?.status).toBe('deauthorised');
  });

  it('passes to another agent when the client accepts that agent', async () => {
    const agent = await startAgent();
    const { call, arn, authorisation, hmrc } = agent;
    const { vat } = findVatClient(agent, 'up_to_date');
    const otherAgent = await createUser(hmrc, 'agents', ['agent-services']);
    const otherArn = otherAgent.agentServicesAccountNumber ?? '';
    expect(parseArn(otherArn).ok).toBe(true);
    const otherCall = await authorise(hmrc, otherAgent.userId);
    const newInvitation = await authorisation.sendInvitation(otherCall, otherArn, vat);
    agent.agents.answerInvitation(newInvitation.outcome === 'sent' ? newInvitation.invitationId : '', 'accept');
    expect(await authorisation.checkRelationship(call, arn, vat)).toEqual({ outcome: 'none' });
    expect(await authorisation.checkRelationship(otherCall, otherArn, vat)).toEqual({ outcome: 'active' });
  });
});

describe('HMRC’s checks (docs/reference/hmrc.md section 5)', () => {
  it('run in the order Accept header, token, agent, agency, payload, records', async () => {
    const { hmrc, arn, send } = await startAgent({ clients: 13 });
    const path = `/agents/${arn}/invitations`;
    const post = async (headers: Record<string, string>, payload: unknown = '{', to = path) =>
      readError(await send(to, { method: 'POST', headers, body: payload }));
    const unknownToken = { authorization: 'Bearer none' };
    expect(await post({ ...unknownToken, accept: 'application/json' })).toEqual([406, 'ACCEPT_HEADER_INVALID']);
    expect(await post({ ...unknownToken, accept: 'application/vnd.hmrc.3.0+json' })).toEqual([400, 'BAD_REQUEST']);
    expect(await post({ ...unknownToken, accept: 'application/vnd.hmrc.2.0+xml' })).toEqual([400, 'BAD_REQUEST']);
    expect(await post({ ...unknownToken, 'content-type': 'text/plain' })).toEqual([400, 'BAD_REQUEST']);
    expect(await post(unknownToken)).toEqual([401, 'UNAUTHORIZED']);
    expect(await post({ authorization: '' })).toEqual([401, 'UNAUTHORIZED']);
    const trader = await createUser(hmrc, 'organisations', ['mtd-vat']);
    expect(await post({ authorization: `Bearer ${(await authorise(hmrc, trader.userId)).accessToken}` })).toEqual([403, 'NOT_AN_AGENT']);
    const newAgent = await createUser(hmrc, 'agents', []);
    expect(await post({ authorization: `Bearer ${(await authorise(hmrc, newAgent.userId)).accessToken}` })).toEqual([
      403,
      'AGENT_NOT_SUBSCRIBED',
    ]);
    expect(await post({}, '{', '/agents/AARN9999999/invitations')).toEqual([403, 'NO_PERMISSION_ON_AGENCY']);
    expect(await post({})).toEqual([400, 'INVALID_PAYLOAD']);
    const limitedCall = await authorise(hmrc, 'oakline', ['read:sent-invitations']);
    expect(await post({ authorization: `Bearer ${limitedCall.accessToken}` })).toEqual([403, 'INVALID_SCOPE']);
  });

  it.each([
    ['no known fact', { knownFact: undefined }, 400, 'INVALID_PAYLOAD'],
    ['a number for an id', { clientId: 1 }, 400, 'INVALID_PAYLOAD'],
    ['an agent type with VAT', { agentType: 'main' }, 400, 'INVALID_PAYLOAD'],
    ['an unknown service', { service: 'PAYE', clientType: 'x' }, 400, 'SERVICE_NOT_SUPPORTED'],
    ['an unknown agent type', { service: 'MTD-IT', agentType: 'third', clientType: 'x' }, 400, 'AGENT_TYPE_NOT_SUPPORTED'],
    ['an unknown client type', { clientType: 'x', clientId: '?' }, 400, 'CLIENT_TYPE_NOT_SUPPORTED'],
    ['a business for income tax', { service: 'MTD-IT', clientIdType: 'ni', clientId: 'AA999999A' }, 400, 'CLIENT_TYPE_NOT_SUPPORTED'],
    ['a NINO for VAT', { clientIdType: 'ni', clientId: 'AA999999A', knownFact: '?' }, 400, 'CLIENT_ID_DOES_NOT_MATCH_SERVICE'],
    ['a VAT number for income tax', { service: 'MTD-IT', clientType: 'personal' }, 400, 'CLIENT_ID_DOES_NOT_MATCH_SERVICE'],
    ['a malformed id', { clientId: '10174769x', knownFact: '?' }, 400, 'CLIENT_ID_FORMAT_INVALID'],
    ['a malformed date', { knownFact: '18/05/2007' }, 400, 'VAT_REG_DATE_FORMAT_INVALID'],
    [
      'a postcode in small letters',
      { service: 'MTD-IT', clientType: 'personal', clientIdType: 'ni', clientId: 'AA999999A', knownFact: 'aa1 1aa' },
      400,
      'POSTCODE_FORMAT_INVALID',
    ],
    ['an unknown client', {}, 403, 'CLIENT_REGISTRATION_NOT_FOUND'],
    [
      'a list of one service, and spaces in the id',
      { service: ['MTD-VAT'], clientId: '101 7476 96' },
      403,
      'CLIENT_REGISTRATION_NOT_FOUND',
    ],
  ] as const)('reject %s', async (_case, overrides, status, code) => {
    const { arn, send } = await startAgent({ clients: 13 });
    expect(await readError(await send(`/agents/${arn}/invitations`, { method: 'POST', body: buildBody(overrides) }))).toEqual([
      status,
      code,
    ]);
  });

  it('allow de-authorisation only in version 2, and need no client type for a status check', async () => {
    const agent = await startAgent({ clients: 13 });
    const { arn, send } = agent;
    const oldVersionHeaders = { accept: 'application/vnd.hmrc.1.0+json' };
    const putOptions = { method: 'PUT', body: buildBody() };
    expect(await readError(await send(`/agents/${arn}/deauthorise-client`, { ...putOptions, headers: oldVersionHeaders }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    expect(await readError(await send(`/agents/${arn}/deauthorise-client`, putOptions))).toEqual([403, 'NO_RELATIONSHIP']);
    const { vat } = findVatClient(agent, 'up_to_date');
    const check = { service: 'MTD-VAT', clientIdType: 'vrn', clientId: vat.vrn, knownFact: vat.registeredOn };
    expect((await send(`/agents/${arn}/relationships`, { method: 'POST', headers: oldVersionHeaders, body: check })).status).toBe(204);
    const listedResponse = await send(`/agents/${arn}/invitations`, { headers: oldVersionHeaders });
    expect(((await listedResponse.json()) as { service: unknown; expiresOn?: string }[]).map(({ service }) => service)).toContainEqual([
      'MTD-VAT',
    ]);
  });
});

describe('a practice that connects', () => {
  it('learns whether the access token belongs to its own agency', async () => {
    const { hmrc, arn, call, authorisation } = await startAgent({ clients: 0 });
    expect(await authorisation.checkAgency(call, arn)).toBe('own');
    expect(await authorisation.checkAgency(call, 'AARN9999999')).toBe('other_agency');
    const trader = await createUser(hmrc, 'organisations', ['mtd-vat']);
    expect(await authorisation.checkAgency(await authorise(hmrc, trader.userId), arn)).toBe('not_an_agent');
    const newAgent = await createUser(hmrc, 'agents', []);
    expect(await authorisation.checkAgency(await authorise(hmrc, newAgent.userId), arn)).toBe('not_subscribed');
    const invalidTokenError = await expectProviderError(authorisation.checkAgency({ ...call, accessToken: 'none' }, arn));
    expect([invalidTokenError.failure, invalidTokenError.facts.code]).toEqual(['unauthorized', 'UNAUTHORIZED']);
  });

  it('shares three requests a second across all its calls, for VAT and agent APIs', async () => {
    const { arn, agents, call, authorisation, hmrc, portfolio } = await startAgent({ clients: 13, requestsPerSecond: 3 });
    const vrn = portfolio.list[0]?.vat?.vrn ?? '';
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    const outcomes = await Promise.allSettled([
      authorisation.checkAgency(call, arn),
      hmrc.client.findVatInformation(call, vrn),
      authorisation.checkAgency(call, arn),
      hmrc.client.findVatInformation(call, vrn),
    ]);
    // The control page can raise the limit for loading thousands of clients.
    agents.setRequestsPerSecond(1_000);
    await Promise.all(Array.from({ length: 9 }, () => authorisation.checkAgency(call, arn)));
    agents.setRequestsPerSecond(undefined);
    expect(await expectProviderError(authorisation.checkAgency(call, arn))).toMatchObject({ failure: 'throttled' });
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { failure: 'throttled', facts: { status: 429 } } },
    ]);
  });

  it.skipIf(!publishedDescriptions)(
    `makes only calls that HMRC’s descriptions allow, and every listed deviation occurs ${source}`,
    async () => {
      const agent = await startAgent({ clients: 40 });
      const { call, arn, authorisation, hmrc } = agent;
      const { vat } = findVatClient(agent, 'never_authorised');
      const newInvitation = await authorisation.sendInvitation(call, arn, vat);
      const invitationId = newInvitation.outcome === 'sent' ? newInvitation.invitationId : '';
      await authorisation.listInvitations(call, arn);
      await authorisation.findInvitation(call, arn, invitationId);
      await authorisation.sendInvitation(call, arn, vat);
      await authorisation.cancelInvitation(call, arn, invitationId);
      await authorisation.sendInvitation(call, arn, { ...vat, vrn: '100190874' });
      const { vat: activeVat } = findVatClient(agent, 'up_to_date');
      await authorisation.checkRelationship(call, arn, activeVat);
      await authorisation.deauthorise(call, arn, activeVat);
      const respondedOperations = new Set(
        [...hmrc.seen.answers].filter((operation) => / 20[04]$/.test(operation)).map((operation) => operation.replace(/ \d+$/, '')),
      );
      const describedOperations = publishedDescriptions?.operations.filter((operation) => operation.includes(' /agents/')) ?? [];
      expect(describedOperations.length).toBe(6);
      expect(describedOperations.filter((operation) => !respondedOperations.has(operation))).toEqual([]);
      for (const { name } of AGENT_DEVIATIONS) expect(hmrc.seen.deviations).toContain(name);
    },
  );
});
