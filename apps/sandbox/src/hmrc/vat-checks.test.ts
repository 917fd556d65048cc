/**
 * Tests the order of HMRC's checks and its error codes over real HTTP, following HMRC's server source. See docs/reference/hmrc.md sections
 * 3.1 to 3.4, 3.7 and 3.8.
 */
import { describe, expect, it } from 'vitest';
import { startWithTrader, VALID_RETURN } from './testing/raw-vat-calls.ts';
import { createOrganisation, requestApplicationToken, startHmrc } from './testing/start-hmrc.ts';

const ACCEPT_HEADER = 'application/vnd.hmrc.1.0+json';

describe('HMRC’s checks (docs/reference/hmrc.md section 3.1)', () => {
  it('run in the order token, VAT number, Accept header, enrolment, request', async () => {
    const { hmrc, vrn, send } = await startWithTrader();
    const otherOrganisation = await createOrganisation(hmrc);
    const invalidPath = '/obligations?from=nonsense';
    const readStatusAndCode = async (response: Response) => [
      response.status,
      ((await response.json()) as { code?: string; message: string }).code,
    ];
    expect(await readStatusAndCode(await send(`/12345678${invalidPath}`, { headers: { authorization: '', accept: 'x' } }))).toEqual([
      401,
      'MISSING_CREDENTIALS',
    ]);
    expect(await readStatusAndCode(await send(`/12345678${invalidPath}`, { headers: { authorization: 'Bearer none' } }))).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ]);
    expect(await readStatusAndCode(await send(`/12345678${invalidPath}`, { headers: { accept: 'x' } }))).toEqual([400, 'VRN_INVALID']);
    expect(
      await readStatusAndCode(await send(`/${otherOrganisation.vrn}${invalidPath}`, { headers: { accept: 'application/json' } })),
    ).toEqual([406, 'ACCEPT_HEADER_INVALID']);
    expect(
      await readStatusAndCode(
        await send(`/${otherOrganisation.vrn}${invalidPath}`, { headers: { accept: 'application/vnd.hmrc.2.0+json' } }),
      ),
    ).toEqual([406, 'ACCEPT_HEADER_INVALID']);
    expect(await readStatusAndCode(await send(`/${otherOrganisation.vrn}${invalidPath}`))).toEqual([403, 'CLIENT_OR_AGENT_NOT_AUTHORISED']);
    const response = await send(`/${vrn}${invalidPath}`, { headers: { 'gov-test-scenario': 'NONSENSE' } });
    expect(await response.json()).toEqual({ statusCode: 400, message: 'INVALID_DATE_TO' });
  });

  it('reject the other kind of token and a token without the scope', async () => {
    const { hmrc, vrn, send } = await startWithTrader();
    const application = { authorization: `Bearer ${await requestApplicationToken(hmrc)}` };
    expect(await (await send(`/${vrn}/obligations?status=O`, { headers: application })).json()).toMatchObject({
      code: 'INCORRECT_ACCESS_TOKEN_TYPE',
    });
    const user = await createOrganisation(hmrc);
    const url = new URL(hmrc.client.authorizeUrl({ state: 's', scopes: ['read:vat'] }));
    url.searchParams.set('sandbox_user', user.userId);
    const redirectResponse = await fetch(url, { redirect: 'manual' });
    const code = new URL(redirectResponse.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { accessToken } = await hmrc.client.exchangeCode({ code });
    const filingResponse = await send(`/${user.vrn}/returns`, { headers: { authorization: `Bearer ${accessToken}` }, body: '{}' });
    expect([filingResponse.status, await filingResponse.json()]).toEqual([403, expect.objectContaining({ code: 'INVALID_SCOPE' })]);
  });

  it('return 404 for unknown paths and 405 for other methods, and tolerate a trailing slash', async () => {
    const { vrn, send } = await startWithTrader();
    expect(await (await send(`/${vrn}/nonsense`)).json()).toMatchObject({ code: 'MATCHING_RESOURCE_NOT_FOUND' });
    expect((await send(`/${vrn}/obligations`, { method: 'POST', body: '{}' })).status).toBe(405);
    expect((await send(`/${vrn}/obligations/?status=O`)).status).toBe(200);
  });

  it('add X-CorrelationId and nosniff to every response after the enrolment check, and to none before', async () => {
    const { vrn, send } = await startWithTrader();
    for (const path of [`/${vrn}/obligations?status=O`, `/${vrn}/obligations`, `/${vrn}/returns/%23001`]) {
      const { headers } = await send(path);
      expect(headers.get('x-correlationid')).toHaveLength(36);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await send('/12345678/obligations')).headers.has('x-correlationid')).toBe(false);
  });

  it('allow three requests a second for each application and throttle the fourth', async () => {
    const hmrc = await startHmrc({ requestsPerSecond: 3 });
    const token = await requestApplicationToken(hmrc);
    const fetchObligations = () =>
      hmrc.fetch(`${hmrc.apiUrl}/create-test-user/services`, { headers: { authorization: `Bearer ${token}`, accept: ACCEPT_HEADER } });
    const statuses = (await Promise.all([fetchObligations(), fetchObligations(), fetchObligations(), fetchObligations()]))
      .map(({ status }) => status)
      .sort((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await (await fetchObligations()).json()).toMatchObject({ code: 'MESSAGE_THROTTLED_OUT' });
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect((await fetchObligations()).status).toBe(200);
  });
});

describe('obligations (docs/reference/hmrc.md section 3.3)', () => {
  it.each([
    ['', 'INVALID_DATE_FROM'],
    ['status=F', 'MISSING_DATE_RANGE'],
    ['status=o', 'INVALID_STATUS'],
    ['status=', 'INVALID_STATUS'],
    ['from=2017-01-01', 'INVALID_DATE_TO'],
    ['to=2017-01-01', 'INVALID_DATE_FROM'],
    ['to=2017-01-01&status=O', 'INVALID_DATE_FROM'],
    ['from=2017-02-29&to=nonsense&status=X', 'INVALID_DATE_FROM'],
    ['from=&to=2017-12-31', 'INVALID_DATE_FROM'],
    ['from=2017-1-1&to=2017-12-31', 'INVALID_DATE_FROM'],
    ['from=2017-01-01&to=31/12/2017&status=X', 'INVALID_DATE_TO'],
    ['from=2017-01-01&to=2019-01-01&status=f', 'INVALID_STATUS'],
    ['from=2017-01-01&to=2017-01-01', 'INVALID_DATE_RANGE'],
    ['from=2017-01-02&to=2017-01-01', 'INVALID_DATE_RANGE'],
    ['from=2017-01-01&to=2018-01-02', 'INVALID_DATE_RANGE'],
  ])('rejects "%s" with %s in HMRC’s unusual error shape', async (query, message) => {
    const { vrn, send } = await startWithTrader();
    const response = await send(`/${vrn}/obligations?${query}`);
    expect([response.status, await response.json()]).toEqual([400, { statusCode: 400, message }]);
  });

  it.each(['from=2020-01-01&to=2021-01-01', 'from=2019-01-01&to=2020-01-01', 'from=2017-01-01&to=2017-01-02'])(
    'accepts "%s" and returns 404 instead of an empty list',
    async (query) => {
      const { vrn, send } = await startWithTrader();
      const response = await send(`/${vrn}/obligations?${query}`);
      expect([response.status, await response.json()]).toEqual([
        404,
        { code: 'NOT_FOUND', message: 'The remote endpoint has indicated that no data can be found' },
      ]);
    },
  );

  it('returns Gov-Test-Scenario values instead of the trader’s records, and rejects unknown ones', async () => {
    const { vrn, send } = await startWithTrader();
    const fetchObligations = async (scenario: string) => {
      const response = await send(`/${vrn}/obligations?from=2026-01-01&to=2026-12-31`, { headers: { 'gov-test-scenario': scenario } });
      return { status: response.status, body: (await response.json()) as { code?: string; obligations?: { status: string }[] } };
    };
    const readStatuses = async (scenario: string) =>
      (await fetchObligations(scenario)).body.obligations?.map(({ status }) => status).join('');
    expect(await readStatuses('QUARTERLY_NONE_MET')).toBe('OOOO');
    expect(await readStatuses('QUARTERLY_ONE_MET')).toBe('FO');
    expect(await readStatuses('QUARTERLY_FOUR_MET')).toBe('FFFF');
    expect(await readStatuses('MONTHLY_OBS_03_OPEN')).toBe('FFO');
    expect(await readStatuses('MONTHLY_OBS_12_FULFILLED')).toBe('FFFFFFFFFFFF');
    expect(await readStatuses('MULTIPLE_OPEN_QUARTERLY')).toBe('OO');
    expect(await readStatuses('OBS_SPANS_MULTIPLE_YEARS')).toBe('O');
    expect(await fetchObligations('NOT_FOUND')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await fetchObligations('INSOLVENT_TRADER')).toMatchObject({ status: 403, body: { code: 'RULE_INSOLVENT_TRADER' } });
    expect(await fetchObligations('NONSENSE')).toMatchObject({ status: 400, body: { code: 'RULE_INCORRECT_GOV_TEST_SCENARIO' } });
  });

  it.each([
    ['2026-11-18T10:00:00Z', '2026-11-19'],
    ['2026-11-20T10:00:00Z', '2026-11-23'],
    ['2026-11-20T19:00:00Z', '2026-11-24'],
    ['2026-11-21T10:00:00Z', '2026-11-24'],
    ['2026-11-22T10:00:00Z', '2026-11-24'],
  ])('a return filed at %s is shown as open until it is shown as fulfilled on %s', async (filedAt, fulfilledOn) => {
    const { hmrc, vrn, user, send } = await startWithTrader({ now: filedAt });
    const organisations = await hmrc.controls.listOrganisations();
    const endedObligation = organisations
      .find((organisation) => organisation.userId === user.userId)
      ?.obligations.find(({ status }) => status === 'O');
    expect(
      (await send(`/${vrn}/returns`, { body: JSON.stringify({ ...VALID_RETURN, periodKey: endedObligation?.periodKey }) })).status,
    ).toBe(201);
    const readShownStatus = async () =>
      (await hmrc.controls.listOrganisations())
        .find((organisation) => organisation.userId === user.userId)
        ?.obligations.find(({ periodKey }) => periodKey === endedObligation?.periodKey)?.status;
    hmrc.moveClock(`${fulfilledOn}T00:00:00Z`);
    const before = new Date(Date.parse(`${fulfilledOn}T00:00:00Z`) - 60_000).toISOString();
    expect(await readShownStatus()).toBe('F');
    hmrc.moveClock(before);
    expect(await readShownStatus()).toBe('O');
  });
});

describe.each(['liabilities', 'payments'])('%s (docs/reference/hmrc.md section 3.7)', (list) => {
  it.each([
    ['', 'DATE_FROM_INVALID'],
    ['from=2016-04-05&to=2016-12-31', 'DATE_FROM_INVALID'],
    ['from=2026-02-30&to=2026-10-01', 'DATE_FROM_INVALID'],
    ['from=2026-01-01', 'DATE_TO_INVALID'],
    ['from=2026-01-01&to=2026-11-19', 'DATE_TO_INVALID'],
    ['from=2026-01-01&to=2026-01-01', 'DATE_RANGE_INVALID'],
    ['from=2025-01-01&to=2026-01-01', 'DATE_RANGE_INVALID'],
  ])('rejects "%s" with %s in HMRC’s unusual error shape', async (query, message) => {
    const { vrn, send } = await startWithTrader();
    expect(await (await send(`/${vrn}/${list}?${query}`)).json()).toEqual({ statusCode: 400, message });
  });

  it('accepts a year less a day up to today, and returns 404 for a range without entries', async () => {
    const { vrn, send } = await startWithTrader();
    expect((await send(`/${vrn}/${list}?from=2025-11-19&to=2026-11-18`)).status).toBe(200);
    expect((await send(`/${vrn}/${list}?from=2016-04-06&to=2017-04-05`)).status).toBe(404);
  });

  it('returns its scenarios within their dates', async () => {
    const { vrn, send } = await startWithTrader();
    const word = list === 'payments' ? 'PAYMENT' : 'LIABILITY';
    const headers = { 'gov-test-scenario': `SINGLE_${word}` };
    expect((await send(`/${vrn}/${list}?from=2017-01-02&to=2017-02-02`, { headers })).status).toBe(200);
    expect((await send(`/${vrn}/${list}?from=2018-01-02&to=2018-02-02`, { headers })).status).toBe(404);
  });
});

describe('information (docs/reference/hmrc.md section 3.8)', () => {
  it.each([
    ['DEFAULT', ['customerDetails', 'flatRateScheme']],
    ['NO_EFFECTREGISTRATIONDATE', ['flatRateScheme']],
    ['NO_FLATRATESCHEME', ['customerDetails']],
    ['NO_EFFECTREGISTRATIONDATE_NO_FRS', []],
    ['CUSTOMER_INFO_NOT_FOUND', ['code', 'message']],
  ])('returns the scenario %s', async (scenario, members) => {
    const { vrn, send } = await startWithTrader();
    const response = await send(`/${vrn}/information`, { headers: { 'gov-test-scenario': scenario } });
    expect(Object.keys((await response.json()) as object)).toEqual(members);
  });
});
