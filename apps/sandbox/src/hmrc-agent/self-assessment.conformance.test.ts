/**
 * Tests the clients of Self Assessment Accounts 4.0 and Obligations 3.0 against the simulator over real HTTP. Checks responses against
 * HMRC's API descriptions, and the special cases of docs/reference/hmrc.md section 6.
 */
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { expectProviderError } from '../hmrc/testing/filing.ts';
import { buildSourceNote, HMRC_DESCRIPTIONS } from '../testing/published-source.ts';
import { publishedDescriptions } from '../hmrc/testing/start-hmrc.ts';
import type { PortfolioClient } from '../portfolio/portfolio-client.ts';
import type { PortfolioSituation } from '../portfolio/situations.ts';
import { createUser, authorise, readError, startAgent, type StartedAgent } from './testing/start-agent.ts';

const source = buildSourceNote(HMRC_DESCRIPTIONS, publishedDescriptions);

const listPeople = (agent: StartedAgent, situation: PortfolioSituation) =>
  agent.portfolio.list.flatMap((client: PortfolioClient) =>
    client.situation === situation && client.selfAssessment?.business && client.nino !== undefined
      ? [{ ...client, nino: client.nino }]
      : [],
  );
const findPerson = (agent: StartedAgent, situation: PortfolioSituation = 'up_to_date') => {
  const [person] = listPeople(agent, situation);
  if (!person) throw new Error(`no VAT client is ${situation}`);
  return person;
};
const ACCOUNTS_HEADERS = { accept: 'application/vnd.hmrc.4.0+json' };
const OBLIGATIONS_HEADERS = { accept: 'application/vnd.hmrc.3.0+json' };

describe('a Self Assessment account', () => {
  it('adds up: overdue, payable within 30 days and pending equal the open charges', async () => {
    const agent = await startAgent({ clients: 1_200 });
    const today = agent.portfolio.today;
    for (const situation of ['up_to_date', 'due_soon', 'overdue_payment'] as const) {
      for (const { nino } of listPeople(agent, situation).slice(0, 4)) {
        const account = await agent.selfAssessment.findAccount(agent.call, nino);
        if (!account) throw new Error('no account');
        const { balance, charges } = account;
        const sumOutstanding = (subset: typeof charges) => subset.reduce((total, { outstanding }) => total + outstanding, 0);
        expect(balance.overdue).toBe(sumOutstanding(charges.filter(({ due }) => due !== undefined && due < today)));
        expect(balance.overdue + balance.payable + balance.pending).toBe(balance.total);
        expect(sumOutstanding(charges)).toBe(balance.total);
        expect(balance.overdue > 0).toBe(situation === 'overdue_payment');
        expect(charges.every(({ kind, outstanding }) => kind !== 'other' && outstanding > 0)).toBe(true);
        if (situation !== 'overdue_payment') continue;
        const lateCharge = charges.find(({ due }) => due !== undefined && due < today);
        expect(lateCharge?.interest).toBeGreaterThan(0);
        expect(balance.overdueSince).toBe(lateCharge?.due);
      }
    }
  });

  it('returns the charges of a range, including cleared ones, and the payments that cleared them', async () => {
    const agent = await startAgent();
    const { nino } = findPerson(agent);
    const range = { from: plainDate('2025-01-01'), to: plainDate('2026-11-21') };
    const charges = await agent.selfAssessment.listCharges(agent.call, nino, range);
    const payments = await agent.selfAssessment.listPayments(agent.call, nino, range);
    expect(charges.length).toBeGreaterThan(1);
    expect(payments.length).toBeGreaterThan(1);
    const clearedByDocument = new Map(
      payments.flatMap(({ allocations }) => allocations.map((allocation) => [allocation.documentId, allocation.cleared] as const)),
    );
    const paidCharges = charges.filter(({ outstanding, documentId }) => outstanding === 0 && clearedByDocument.has(documentId));
    expect(paidCharges.length).toBeGreaterThan(0);
    for (const { documentId, original } of paidCharges) expect(clearedByDocument.get(documentId)).toBe(original);
  });

  it('does not exist for a client without data, and is closed without the client’s authorisation', async () => {
    const agent = await startAgent({ clients: 3_000 });
    const empty = findPerson(agent, 'no_data');
    expect(await agent.selfAssessment.findAccount(agent.call, empty.nino)).toBeUndefined();
    expect(await agent.selfAssessment.listUpdates(agent.call, empty.nino, { status: 'open' })).toEqual([]);
    for (const situation of ['never_authorised', 'authority_revoked', 'link_sent'] as const) {
      const failure = await expectProviderError(agent.selfAssessment.findAccount(agent.call, findPerson(agent, situation).nino));
      expect([failure.failure, failure.facts.status, failure.facts.code]).toEqual(['refused', 403, 'CLIENT_OR_AGENT_NOT_AUTHORISED']);
    }
  });

  it('is open to the person to whom it belongs', async () => {
    const { hmrc, selfAssessment } = await startAgent({ clients: 0 });
    const user = await createUser(hmrc, 'individuals', ['mtd-income-tax']);
    const call = await authorise(hmrc, user.userId, ['read:self-assessment']);
    expect((await selfAssessment.findAccount(call, user.nino ?? ''))?.balance).toMatchObject({ total: 0, overdue: 0 });
    expect((await selfAssessment.listUpdates(call, user.nino ?? '', { status: 'open' })).length).toBe(4);
  });

  it.each([
    ['', ['RULE_INCONSISTENT_QUERY_PARAMS']],
    ['onlyOpenItems=true&docNumber=012345678912', ['RULE_INCONSISTENT_QUERY_PARAMS']],
    ['onlyOpenItems=yes', ['FORMAT_ONLY_OPEN_ITEMS']],
    ['onlyOpenItems=yes&removePOA=1&includeLocks=', ['FORMAT_INCLUDE_LOCKS', 'FORMAT_ONLY_OPEN_ITEMS', 'FORMAT_REMOVE_PAYMENT_ON_ACCOUNT']],
    ['docNumber=1', ['FORMAT_DOC_NUMBER']],
    ['fromDate=2026-01-01', ['MISSING_TO_DATE']],
    ['toDate=2026-01-01', ['MISSING_FROM_DATE']],
    ['fromDate=1-1-26&toDate=2026-02-30', ['FORMAT_FROM_DATE', 'FORMAT_TO_DATE']],
    ['fromDate=2026-02-01&toDate=2026-01-31', ['RANGE_TO_DATE_BEFORE_FROM_DATE']],
    ['fromDate=2024-01-01&toDate=2026-01-03', ['RULE_INVALID_DATE_RANGE']],
    ['fromDate=2026-01-01&toDate=2026-01-01', []],
    ['fromDate=2024-01-01&toDate=2026-01-02', []],
  ])('answers a balance query "%s" with %j', async (query, codes) => {
    const agent = await startAgent({ clients: 60 });
    const { nino } = findPerson(agent);
    expect(
      await readErrorCodes(
        await agent.send(`/accounts/self-assessment/${nino}/balance-and-transactions?${query}`, { headers: ACCOUNTS_HEADERS }),
      ),
    ).toEqual(codes);
  });

  it.each([
    ['', ['RULE_INCONSISTENT_QUERY_PARAMS']],
    ['paymentLot=1', ['MISSING_PAYMENT_LOT_ITEM']],
    ['paymentLotItem=1&fromDate=x', ['MISSING_PAYMENT_LOT']],
    ['paymentLot=!&paymentLotItem=1234567', ['FORMAT_PAYMENT_LOT', 'FORMAT_PAYMENT_LOT_ITEM']],
    ['fromDate=2026-01-01', ['MISSING_TO_DATE']],
    ['paymentLot=1&paymentLotItem=1', ['MATCHING_RESOURCE_NOT_FOUND']],
  ])('answers a payments query "%s" with %j', async (query, codes) => {
    const agent = await startAgent({ clients: 60 });
    const { nino } = findPerson(agent);
    expect(
      await readErrorCodes(
        await agent.send(`/accounts/self-assessment/${nino}/payments-and-allocations?${query}`, { headers: ACCOUNTS_HEADERS }),
      ),
    ).toEqual(codes);
  });
});

describe('income tax obligations', () => {
  it('are cumulative updates from 6 April, and declarations by 31 January', async () => {
    const agent = await startAgent();
    const { nino, selfAssessment } = findPerson(agent);
    const updates = await agent.selfAssessment.listUpdates(agent.call, nino, {
      from: plainDate('2026-04-06'),
      to: plainDate('2027-04-05'),
    });
    expect(updates.map(({ start, due, status }) => [start, due, status])).toEqual([
      ['2026-04-06', '2026-08-07', 'fulfilled'],
      ['2026-04-06', '2026-11-07', 'fulfilled'],
      ['2026-04-06', '2027-02-07', 'open'],
      ['2026-04-06', '2027-05-07', 'open'],
    ]);
    expect(updates[0]?.businessId).toBe(selfAssessment?.business?.businessId);
    const [declaration] = await agent.selfAssessment.listDeclarations(agent.call, nino, { taxYear: '2024-25' });
    expect(declaration).toMatchObject({ start: '2024-04-06', end: '2025-04-05', due: '2026-01-31', status: 'fulfilled' });
    expect(await agent.selfAssessment.listDeclarations(agent.call, nino, { taxYear: '2026-27' })).toEqual([]);
  });

  it('are overdue when an update is missing', async () => {
    const agent = await startAgent({ clients: 600 });
    const { nino } = findPerson(agent, 'overdue_return');
    const openUpdates = await agent.selfAssessment.listUpdates(agent.call, nino, { status: 'open' });
    expect(openUpdates.filter(({ due }) => due < agent.portfolio.today).map(({ due }) => due)).toEqual(['2026-11-07']);
  });

  it.each([
    ['income-and-expenditure?status=O', ['FORMAT_STATUS']],
    [
      'income-and-expenditure?typeOfBusiness=farm&businessId=1&status=x',
      ['FORMAT_BUSINESS_ID', 'FORMAT_STATUS', 'FORMAT_TYPE_OF_BUSINESS'],
    ],
    ['income-and-expenditure?businessId=XAIS12345678910', ['MISSING_TYPE_OF_BUSINESS']],
    ['income-and-expenditure?fromDate=2026-01-01', ['MISSING_TO_DATE']],
    ['income-and-expenditure?toDate=2026-01-01', ['MISSING_FROM_DATE']],
    ['income-and-expenditure?fromDate=2018-04-05&toDate=2018-05-05', ['RULE_FROM_DATE_NOT_SUPPORTED']],
    ['income-and-expenditure?fromDate=2026-05-02&toDate=2026-05-01', ['RANGE_TO_DATE_BEFORE_FROM_DATE']],
    ['income-and-expenditure?fromDate=2026-05-02&toDate=2026-05-02', ['RULE_DATE_RANGE_INVALID']],
    ['income-and-expenditure?fromDate=2026-01-01&toDate=2027-01-02', ['RULE_DATE_RANGE_INVALID']],
    ['income-and-expenditure?typeOfBusiness=foreign-property', ['NO_OBLIGATIONS_FOUND']],
    ['income-and-expenditure', []],
    ['crystallisation?taxYear=2026', ['FORMAT_TAX_YEAR']],
    ['crystallisation?taxYear=2024-26&status=O', ['FORMAT_STATUS', 'RULE_TAX_YEAR_RANGE_INVALID']],
    ['crystallisation?taxYear=2016-17', ['RULE_TAX_YEAR_NOT_SUPPORTED']],
    ['crystallisation', []],
  ])('answer %s with %j', async (path, codes) => {
    const agent = await startAgent({ clients: 60 });
    const { nino } = findPerson(agent);
    expect(await readErrorCodes(await agent.send(`/obligations/details/${nino}/${path}`, { headers: OBLIGATIONS_HEADERS }))).toEqual(codes);
  });

  it('check version, NINO and authorisation before the rest, and answer 400 for an insolvent trader', async () => {
    const agent = await startAgent({ clients: 60 });
    const { nino } = findPerson(agent);
    const requestObligations = async (person: string, headers: Record<string, string> = OBLIGATIONS_HEADERS) =>
      readError(await agent.send(`/obligations/details/${person}/crystallisation?status=O`, { headers }));
    expect(await requestObligations('BG123456A', ACCOUNTS_HEADERS)).toEqual([406, 'ACCEPT_HEADER_INVALID']);
    expect(await requestObligations('BG123456A')).toEqual([400, 'FORMAT_NINO']);
    expect(await requestObligations('AA000000A')).toEqual([403, 'CLIENT_OR_AGENT_NOT_AUTHORISED']);
    expect(await requestObligations(nino)).toEqual([400, 'FORMAT_STATUS']);
    const sendScenario = async (name: string) =>
      readError(
        await agent.send(`/obligations/details/${nino}/crystallisation`, {
          headers: { ...OBLIGATIONS_HEADERS, 'gov-test-scenario': name },
        }),
      );
    expect(await sendScenario('INSOLVENT_TRADER')).toEqual([400, 'RULE_INSOLVENT_TRADER']);
    expect(await sendScenario('NONSENSE')).toEqual([400, 'RULE_INCORRECT_GOV_TEST_SCENARIO']);
  });

  it('distinguishes an unknown path, which is our mistake, from a person without data', async () => {
    const agent = await startAgent({ clients: 60 });
    const { nino } = findPerson(agent);
    const unknownResponse = await agent.send(`/obligations/details/${nino}/nonsense`, { headers: OBLIGATIONS_HEADERS });
    expect([await readError(unknownResponse.clone()), unknownResponse.headers.has('x-correlationid')]).toEqual([
      [404, 'MATCHING_RESOURCE_NOT_FOUND'],
      false,
    ]);
    const noContentResponse = await agent.send(`/obligations/details/${nino}/crystallisation`, {
      headers: { ...OBLIGATIONS_HEADERS, 'gov-test-scenario': 'NOT_FOUND' },
    });
    expect([await readError(noContentResponse.clone()), noContentResponse.headers.has('x-correlationid')]).toEqual([
      [404, 'MATCHING_RESOURCE_NOT_FOUND'],
      true,
    ]);
  });
});

it.skipIf(!publishedDescriptions)(`HMRC’s descriptions match every operation that the portal reads ${source}`, async () => {
  const agent = await startAgent();
  const { nino } = findPerson(agent);
  const range = { from: plainDate('2025-06-01'), to: plainDate('2026-06-01') };
  await agent.selfAssessment.findAccount(agent.call, nino);
  await agent.selfAssessment.listPayments(agent.call, nino, { from: plainDate('2025-01-01'), to: plainDate('2026-11-01') });
  await agent.selfAssessment.listUpdates(agent.call, nino, { status: 'open' });
  await agent.selfAssessment.listDeclarations(agent.call, nino);
  await agent.selfAssessment.listCharges(agent.call, nino, range);
  const respondedOperations = [...agent.hmrc.seen.answers].filter((operation) => / \/(?:accounts|obligations)\//.test(operation)).sort();
  expect(respondedOperations).toEqual([
    'GET /accounts/self-assessment/{nino}/balance-and-transactions 200',
    'GET /accounts/self-assessment/{nino}/payments-and-allocations 200',
    'GET /obligations/details/{nino}/crystallisation 200',
    'GET /obligations/details/{nino}/income-and-expenditure 200',
  ]);
});

/** Returns the error codes in the body, or none for a successful response. */
async function readErrorCodes(response: Response): Promise<string[]> {
  const body = (await response.json()) as { code?: string; errors?: { code: string }[] };
  if (response.status === 200) return [];
  return body.errors?.map(({ code }) => code) ?? [body.code ?? ''];
}
