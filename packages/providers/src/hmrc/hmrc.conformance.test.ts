/** The client against the double over real HTTP; every answer is also held against HMRC's published descriptions where they are at hand. */
import { pence, type WholePounds } from '@portal/domain/money.ts';
import { addMonths, plainDate } from '@portal/domain/plain-date.ts';
import { checkVrnDigits } from '@portal/domain/uk-tax/references/vrn.ts';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../http/provider-error.ts';
import { createHmrcClient, type Obligation, type VatReturnBoxes } from './hmrc-client.ts';
import { DEVIATIONS } from './testing/published-descriptions.ts';
import { applicationToken, connectTrader, createOrganisation, grantCode, published, startHmrc } from './testing/start-hmrc.ts';
import type { StartedHmrc } from './testing/start-hmrc.ts';

const pounds = (amount: number) => amount as WholePounds;

/** An exporter's return: 1,234.56 on sales, 15,000.10 on purchases, so that HMRC repays 13,765.54. */
const REPAYMENT: VatReturnBoxes = {
  box1: pence(123_456),
  box2: pence(0),
  box3: pence(123_456),
  box4: pence(1_500_010),
  box5: pence(1_376_554),
  box6: pounds(90_000),
  box7: pounds(75_000),
  box8: pounds(0),
  box9: pounds(0),
};

async function openEnded(hmrc: StartedHmrc, call: Parameters<typeof hmrc.client.listObligations>[0], vrn: string): Promise<Obligation> {
  const open = await hmrc.client.listObligations(call, vrn, { status: 'open' });
  const ended = open.find(({ end }) => end < hmrc.clock.today());
  if (!ended) throw new Error('no ended open obligation');
  return ended;
}

async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`expected a ProviderError, got ${String(error)}`);
  return error;
}

describe('a new test organisation', () => {
  it('has a VAT number with right check digits and six quarters around today', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    expect(checkVrnDigits(user.vrn)).not.toBeNull();
    const today = hmrc.clock.today();
    const open = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    expect(open).toHaveLength(2);
    const [ended, current] = open;
    expect(ended && ended.end < today && ended.due >= today).toBe(true);
    expect(current && current.start <= today && current.end >= today).toBe(true);
    const fulfilled = [
      ...(await hmrc.client.listObligations(call, user.vrn, {
        from: addMonths(today, -24),
        to: addMonths(today, -12),
        status: 'fulfilled',
      })),
      ...(await hmrc.client.listObligations(call, user.vrn, { from: addMonths(today, -12), to: today, status: 'fulfilled' })),
    ];
    const keys = new Set(fulfilled.map(({ periodKey }) => periodKey));
    expect(keys.size).toBe(4);
    expect(fulfilled.every(({ received, due }) => received !== undefined && received <= due)).toBe(true);
    for (const periodKey of keys) {
      const filed = await hmrc.client.findReturn(call, user.vrn, periodKey);
      expect(filed && filed.box4 > filed.box3 && filed.box5 === filed.box4 - filed.box3).toBe(true);
    }
  });

  it.each(['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01', '2026-06-30', '2026-08-08', '2026-12-31'])(
    'has its last ended return not yet overdue on %s',
    async (day) => {
      const hmrc = await startHmrc({ now: `${day}T12:00:00Z` });
      const { user, call } = await connectTrader(hmrc);
      const open = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
      expect(open.filter(({ due }) => due < day)).toEqual([]);
      expect(open.filter(({ end }) => end < day)).toHaveLength(1);
    },
  );

  it('has charges and payments that agree with its returns', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const today = hmrc.clock.today();
    const range = { from: addMonths(today, -11), to: today };
    const liabilities = await hmrc.client.listLiabilities(call, user.vrn, range);
    const credits = liabilities.filter(({ type }) => type === 'VAT Return Credit Charge');
    expect(credits.length).toBeGreaterThan(0);
    const fulfilled = await hmrc.client.listObligations(call, user.vrn, { from: addMonths(today, -12), to: today, status: 'fulfilled' });
    for (const { period, original, outstanding } of credits) {
      const periodKey = fulfilled.find(({ start }) => start === period?.start)?.periodKey ?? '';
      const filed = await hmrc.client.findReturn(call, user.vrn, periodKey);
      expect([original, outstanding]).toEqual([pence(-(filed?.box5 ?? 0)), 0]);
    }
    const payments = await hmrc.client.listPayments(call, user.vrn, { from: addMonths(today, -12), to: addMonths(today, -1) });
    const debits = (await hmrc.client.listLiabilities(call, user.vrn, { from: addMonths(today, -12), to: addMonths(today, -1) })).filter(
      ({ original }) => original > 0,
    );
    expect(payments.map(({ amount }) => amount)).toEqual(debits.map(({ original }) => original));
    expect((await hmrc.client.findVatInformation(call, user.vrn))?.registeredOn).toMatch(/^20/);
  });

  it('gets a new obligation on the first day of each period, filed or not', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const before = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    const end = before.at(-1)?.end ?? plainDate('2026-01-31');
    hmrc.moveClock(`${end}T22:00:00Z`);
    const { accessToken } = await hmrc.client.exchangeCode({ code: await grantCode(hmrc, user.userId) });
    const later = { ...call, accessToken };
    expect(await hmrc.client.listObligations(later, user.vrn, { status: 'open' })).toHaveLength(2);
    hmrc.moveClock(new Date(Date.parse(`${end}T00:30:00Z`) + 86_400_000).toISOString());
    const { accessToken: nextToken } = await hmrc.client.exchangeCode({ code: await grantCode(hmrc, user.userId) });
    const after = await hmrc.client.listObligations({ ...call, accessToken: nextToken }, user.vrn, { status: 'open' });
    expect(after).toHaveLength(3);
  });
});

describe('filing', () => {
  it('is accepted once, with a receipt kept whole, and shows as fulfilled the next morning', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await openEnded(hmrc, call, user.vrn);
    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toBeUndefined();

    const receipt = await hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT);
    expect(receipt).toMatchObject({ processedAt: '2026-11-18T10:00:00.000Z', paymentIndicator: 'BANK' });
    expect(receipt.formBundleNumber).toMatch(/^\d{12}$/);
    expect(receipt.chargeRefNumber).toBeUndefined();
    expect(receipt.receiptId).toHaveLength(36);
    expect(receipt.receiptTimestamp).toBe('2026-11-18T10:00:00Z');
    expect(receipt.verbatim.status).toBe(201);
    expect(JSON.parse(receipt.verbatim.body)).toMatchObject({ formBundleNumber: receipt.formBundleNumber });
    expect(receipt.verbatim.headers).toMatchObject({ 'receipt-id': receipt.receiptId, 'x-correlationid': receipt.correlationId });

    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toEqual(REPAYMENT);
    const status = async () =>
      (await hmrc.client.listObligations(call, user.vrn, { from: plainDate('2026-01-01'), to: plainDate('2026-12-31') })).find(
        (one) => one.periodKey === periodKey,
      );
    expect(await status()).toMatchObject({ status: 'open' });
    expect((await status())?.received).toBeUndefined();

    const again = await failureOf(hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT));
    expect([again.failure, again.facts.status, again.facts.code]).toEqual(['refused', 403, 'DUPLICATE_SUBMISSION']);
    expect(hmrc.controls.listReturns(user.vrn)).toMatchObject([{ periodKey, timesAccepted: 1 }]);

    hmrc.moveClock('2026-11-19T07:00:00Z');
    const { accessToken } = await hmrc.client.exchangeCode({ code: await grantCode(hmrc, user.userId) });
    const turned = await hmrc.client.listObligations({ ...call, accessToken }, user.vrn, {
      from: plainDate('2026-01-01'),
      to: plainDate('2026-12-31'),
    });
    expect(turned.find((one) => one.periodKey === periodKey)).toMatchObject({ status: 'fulfilled', received: '2026-11-18' });
  });

  it('accepts exactly one of two equal submissions at once', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await openEnded(hmrc, call, user.vrn);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(hmrc.controls.listReturns(user.vrn)[0]?.timesAccepted).toBe(1);
  });

  it('writes every amount digit by digit, up to the largest', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await openEnded(hmrc, call, user.vrn);
    const sent: string[] = [];
    const client = createHmrcClient({
      ...hmrc.clientDeps,
      fetch: (input, init) => {
        if (init?.method === 'POST') sent.push(String(init.body));
        return fetch(input, init);
      },
    });
    const largest: VatReturnBoxes = {
      box1: pence(999_999_999_999_999),
      box2: pence(-30),
      box3: pence(999_999_999_999_969),
      box4: pence(999_999_999_999_939),
      box5: pence(30),
      box6: pounds(-9_999_999_999_999),
      box7: pounds(9_999_999_999_999),
      box8: pounds(0),
      box9: pounds(1),
    };
    await client.submitReturn(call, user.vrn, periodKey, largest);
    expect(sent[0]).toBe(
      `{"periodKey":"${periodKey}","vatDueSales":9999999999999.99,"vatDueAcquisitions":-0.30,"totalVatDue":9999999999999.69,` +
        '"vatReclaimedCurrPeriod":9999999999999.39,"netVatDue":0.30,"totalValueSalesExVAT":-9999999999999,' +
        '"totalValuePurchasesExVAT":9999999999999,"totalValueGoodsSuppliedExVAT":0,"totalAcquisitionsExVAT":1,"finalised":true}',
    );
    expect(await client.findReturn(call, user.vrn, periodKey)).toEqual(largest);
  });

  it('refuses a period that has not ended and a key that HMRC does not know', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const current = (await hmrc.client.listObligations(call, user.vrn, { status: 'open' })).at(-1);
    const early = await failureOf(hmrc.client.submitReturn(call, user.vrn, current?.periodKey ?? '', REPAYMENT));
    expect([early.failure, early.facts.code]).toEqual(['refused', 'TAX_PERIOD_NOT_ENDED']);
    const unknown = await failureOf(hmrc.client.submitReturn(call, user.vrn, '#00Z', REPAYMENT));
    expect([unknown.failure, unknown.facts.code]).toEqual(['refused', 'PERIOD_KEY_INVALID']);
    expect(hmrc.controls.listReturns(user.vrn)).toEqual([]);
  });

  it('keeps what it accepted over a restart of the double', async ({ onTestFinished }) => {
    const { mkdtempSync, rmSync } = await import('node:fs');
    const folder = mkdtempSync('/tmp/hmrc-double-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const storeFile = `${folder}/double.sqlite`;
    const first = await startHmrc({ storeFile });
    const { user, call } = await connectTrader(first);
    const { periodKey } = await openEnded(first, call, user.vrn);
    await first.client.submitReturn(call, user.vrn, periodKey, REPAYMENT);
    await first.close();
    const second = await startHmrc({ storeFile });
    const again = await failureOf(second.client.submitReturn(call, user.vrn, periodKey, REPAYMENT));
    expect(again.facts.code).toBe('DUPLICATE_SUBMISSION');
  });
});

describe('a lost or spoilt answer', () => {
  it.each([
    ['timeout_after_work', 'unknown', 1],
    ['malformed_body', 'unknown', 1],
    ['server_error', 'unknown', 0],
    ['too_many', 'throttled', 0],
  ] as const)('to a submission (%s) is %s, and reading the return tells the truth', async (kind, failure, accepted) => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await openEnded(hmrc, call, user.vrn);
    hmrc.faults.set({ operation: 'hmrc.submit_return', kind, times: 1 });
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
    const error = await failureOf(client.submitReturn(call, user.vrn, periodKey, REPAYMENT));
    expect(error.failure).toBe(failure);
    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toEqual(accepted === 1 ? REPAYMENT : undefined);
  });

  it.each(['timeout_after_work', 'malformed_body', 'server_error'] as const)('to a read (%s) is unavailable', async (kind) => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    hmrc.faults.set({ operation: 'hmrc.obligations', kind, times: 1 });
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
    expect((await failureOf(client.listObligations(call, user.vrn, { status: 'open' }))).failure).toBe('unavailable');
  });

  it('is unavailable, not unknown, where the submission never left', async () => {
    const hmrc = await startHmrc();
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
    await hmrc.close();
    const error = await failureOf(client.submitReturn({ accessToken: 'any', fraudHeaders: {} }, '100190874', '18A1', REPAYMENT));
    expect(error.failure).toBe('unavailable');
  });

  it('in time is unknown for a submission and unavailable for a read', async () => {
    const hmrc = await startHmrc();
    const never: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch: never, timeoutMs: 20 });
    const call = { accessToken: 'any', fraudHeaders: {} };
    expect((await failureOf(client.submitReturn(call, '100190874', '18A1', REPAYMENT))).failure).toBe('unknown');
    expect((await failureOf(client.findReturn(call, '100190874', '18A1'))).failure).toBe('unavailable');
  });

  it('never takes a stranger’s empty 404 for proof that nothing was filed', async () => {
    const hmrc = await startHmrc();
    const call = { accessToken: 'any', fraudHeaders: {} };
    const answering = (body: string, headers: Record<string, string>) =>
      createHmrcClient({ ...hmrc.clientDeps, fetch: async () => new Response(body, { status: 404, headers }) });
    expect((await failureOf(answering('', {}).findReturn(call, '100190874', '18A1'))).failure).toBe('unavailable');
    expect((await failureOf(answering('<h1>Not found</h1>', {}).findReturn(call, '100190874', '18A1'))).failure).toBe('unavailable');
    const ours = await failureOf(
      answering('{"code":"MATCHING_RESOURCE_NOT_FOUND","message":"x"}', {}).findReturn(call, '100190874', '18A1'),
    );
    expect(ours.failure).toBe('refused');
  });
});

describe('the VAT number look-up', () => {
  it('finds test organisations and HMRC’s published numbers, and answers undefined for others', async () => {
    const hmrc = await startHmrc({ now: '2026-07-01T09:00:00Z' });
    const user = await createOrganisation(hmrc);
    expect((await hmrc.client.lookupVatNumber(user.vrn))?.vrn).toBe(user.vrn);
    expect(await hmrc.client.lookupVatNumber('553557881')).toMatchObject({
      name: 'Credite Sberger Donal Inc.',
      postcode: 'SW97 5CK',
      checkedAt: '2026-07-01T09:00:00.000Z',
    });
    expect(await hmrc.client.lookupVatNumber('146295999727')).toBeDefined();
    expect(await hmrc.client.lookupVatNumber('100190874')).toBeUndefined();
    expect((await failureOf(hmrc.client.lookupVatNumber('GB100190874'))).failure).toBe('refused');
  });

  it('asks for one application token however many look-ups there are, and for a new one when it has died', async () => {
    const hmrc = await startHmrc();
    const tokenCalls = () => hmrc.controls.listCalls(200).filter(({ operation }) => operation === 'hmrc.token').length;
    await Promise.all([hmrc.client.lookupVatNumber('553557881'), hmrc.client.lookupVatNumber('553557881')]);
    expect(tokenCalls()).toBeLessThanOrEqual(2);
    const before = tokenCalls();
    await hmrc.client.lookupVatNumber('553557881');
    expect(tokenCalls()).toBe(before);
    hmrc.moveClock('2026-11-18T14:30:00Z');
    await hmrc.client.lookupVatNumber('553557881');
    expect(tokenCalls()).toBe(before + 1);
  });
});

describe.skipIf(!published)('HMRC’s published descriptions (../shared/reference/hmrc/oas)', () => {
  it('are met by every described operation, and every listed deviation is a real one', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { client, apiUrl } = hmrc;
    const ended = await openEnded(hmrc, call, user.vrn);
    const application = { authorization: `Bearer ${await applicationToken(hmrc)}` };
    const get = (path: string, headers: Record<string, string> = {}) =>
      hmrc.fetch(`${apiUrl}${path}`, {
        headers: { accept: 'application/vnd.hmrc.1.0+json', authorization: `Bearer ${call.accessToken}`, ...headers },
      });
    const lookup = (path: string) =>
      get(`/organisations/vat/check-vat-number/lookup/${path}`, { ...application, accept: 'application/vnd.hmrc.2.0+json' });
    const createUser = (kind: string, serviceNames: string[]) =>
      hmrc.fetch(`${apiUrl}/create-test-user/${kind}`, {
        method: 'POST',
        headers: { ...application, accept: 'application/vnd.hmrc.1.0+json' },
        body: JSON.stringify({ serviceNames }),
      });
    await client.submitReturn(call, user.vrn, ended.periodKey, REPAYMENT);
    await client.findReturn(call, user.vrn, ended.periodKey);
    await client.findReturn(call, user.vrn, '#001');
    await client.listLiabilities(call, user.vrn, { from: ended.start, to: hmrc.clock.today() });
    await client.listPayments(call, user.vrn, { from: addMonths(hmrc.clock.today(), -11), to: hmrc.clock.today() });
    await client.findVatInformation(call, user.vrn);
    await get(`/organisations/vat/${user.vrn}/obligations`);
    await get('/organisations/vat/12345678/obligations?status=O');
    const penaltyScenarios = ['DEFAULT', 'NO_PENALTIES', 'LATE_SUBMISSION', 'LATE_PAYMENT', 'MULTIPLE_PENALTIES']
      .concat(['MULTIPLE_LATE_PAYMENT_PENALTIES', 'MULTIPLE_LATE_SUBMISSION_PENALTIES', 'MULTIPLE_INACTIVE_LATE_SUBMISSION_PENALTIES'])
      .concat(['THRESHOLD_LATE_SUBMISSION_PENALTIES', 'CHARGE_LATE_SUBMISSION_PENALTIES']);
    for (const scenario of penaltyScenarios) {
      expect((await get(`/organisations/vat/${user.vrn}/penalties`, { 'gov-test-scenario': scenario })).status).toBe(200);
    }
    await get(`/organisations/vat/${user.vrn}/financial-details/XP123456789012`);
    await get(`/organisations/vat/${user.vrn}/financial-details/XP000000000000`);
    await get(`/organisations/vat/${user.vrn}/financial-details/P1`);
    for (const path of ['553557881', '55355788', '100190874', `${user.vrn}/553557881`, '553557881/100190874']) await lookup(path);
    await createUser('individuals', ['mtd-vat', 'mtd-income-tax', 'self-assessment']);
    await createUser('agents', ['agent-services']);
    await createUser('organisations', ['corporation-tax', 'paye-for-employers', 'national-insurance']);
    await createUser('organisations', ['nonsense']);
    await get('/create-test-user/services', application);
    await get(`/organisations/vat/${user.vrn}/obligations?status=O`, { authorization: 'Bearer nonsense' });
    await get(`/organisations/vat/${user.vrn}/nonsense`);
    const answered = new Set([...hmrc.seen.answers].filter((one) => /20[01]$/.test(one)).map((one) => one.replace(/ \d+$/, '')));
    expect(published?.operations.filter((operation) => !answered.has(operation))).toEqual([]);
    expect([...hmrc.seen.deviations].sort()).toEqual(DEVIATIONS.map(({ name }) => name).sort());
  });

  it('would catch a double that answered otherwise', () => {
    const judge = (bodyText: string, status = 200, headers: Record<string, string> = { 'x-correlationid': 'x' }) =>
      published?.judge({
        method: 'GET',
        path: '/organisations/vat/100190874/obligations',
        status,
        headers: new Headers({ 'content-type': 'application/json', ...headers }),
        bodyText,
      }).fault;
    const good = '{"obligations":[{"start":"2017-01-01","end":"2017-03-31","due":"2017-05-07","status":"O","periodKey":"18A1"}]}';
    expect(judge(good)).toBeUndefined();
    expect(judge(good.replace('"due"', '"dueDate"'))).toMatch(/due/);
    expect(judge(good.replace('2017-01-01', '01/01/2017'))).toMatch(/pattern/);
    expect(judge(good, 200, {})).toMatch(/x-correlationid/i);
    expect(judge('{"message":"no code"}', 403)).toMatch(/code/);
    expect(judge(good, 302)).toMatch(/not described/);
  });
});
