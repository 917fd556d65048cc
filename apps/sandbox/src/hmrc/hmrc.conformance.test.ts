/**
 * Tests the client against the simulator over real HTTP. Responses are also checked against HMRC's published API descriptions when they are
 * available.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pence } from '@portal/domain/money.ts';
import { addMonths, plainDate } from '@portal/domain/plain-date.ts';
import { findVrnAlgorithm } from '@portal/domain/uk-tax/references/vrn.ts';
import { describe, expect, it } from 'vitest';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import { expectProviderError, findEndedObligation, REPAYMENT_BOXES, toWholePounds } from './testing/filing.ts';
import { connectTrader, createOrganisation, requestCode, startHmrc } from './testing/start-hmrc.ts';

describe('a new test organisation', () => {
  it('has a VAT number with valid check digits and six quarters around today', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    expect(findVrnAlgorithm(user.vrn)).not.toBeNull();
    const today = hmrc.clock.today();
    const openObligations = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    expect(openObligations).toHaveLength(2);
    const [endedObligation, current] = openObligations;
    expect(endedObligation && endedObligation.end < today && endedObligation.due >= today).toBe(true);
    expect(current && current.start <= today && current.end >= today).toBe(true);
    const fulfilledObligations = [
      ...(await hmrc.client.listObligations(call, user.vrn, {
        from: addMonths(today, -24),
        to: addMonths(today, -12),
        status: 'fulfilled',
      })),
      ...(await hmrc.client.listObligations(call, user.vrn, { from: addMonths(today, -12), to: today, status: 'fulfilled' })),
    ];
    const keys = new Set(fulfilledObligations.map(({ periodKey }) => periodKey));
    expect(keys.size).toBe(4);
    expect(fulfilledObligations.every(({ received, due }) => received !== undefined && received <= due)).toBe(true);
    for (const periodKey of keys) {
      const filedReturn = await hmrc.client.findReturn(call, user.vrn, periodKey);
      expect(filedReturn && filedReturn.box4 > filedReturn.box3 && filedReturn.box5 === filedReturn.box4 - filedReturn.box3).toBe(true);
    }
  });

  it.each(['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01', '2026-06-30', '2026-08-08', '2026-12-31'])(
    'has an ended return that is not yet overdue on %s',
    async (day) => {
      const hmrc = await startHmrc({ now: `${day}T12:00:00Z` });
      const { user, call } = await connectTrader(hmrc);
      const openObligations = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
      expect(openObligations.filter(({ due }) => due < day)).toEqual([]);
      expect(openObligations.filter(({ end }) => end < day)).toHaveLength(1);
    },
  );

  it('has charges and payments that match its returns', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const today = hmrc.clock.today();
    const range = { from: addMonths(today, -11), to: today };
    const liabilities = await hmrc.client.listLiabilities(call, user.vrn, range);
    const credits = liabilities.filter(({ type }) => type === 'VAT Return Credit Charge');
    expect(credits.length).toBeGreaterThan(0);
    const fulfilledObligations = await hmrc.client.listObligations(call, user.vrn, {
      from: addMonths(today, -12),
      to: today,
      status: 'fulfilled',
    });
    for (const { period, original, outstanding } of credits) {
      const periodKey = fulfilledObligations.find(({ start }) => start === period?.start)?.periodKey ?? '';
      const filedReturn = await hmrc.client.findReturn(call, user.vrn, periodKey);
      expect([original, outstanding]).toEqual([pence(-(filedReturn?.box5 ?? 0)), 0]);
    }
    const payments = await hmrc.client.listPayments(call, user.vrn, { from: addMonths(today, -12), to: addMonths(today, -1) });
    const debits = (await hmrc.client.listLiabilities(call, user.vrn, { from: addMonths(today, -12), to: addMonths(today, -1) })).filter(
      ({ original }) => original > 0,
    );
    expect(payments.map(({ amount }) => amount)).toEqual(debits.map(({ original }) => original));
    expect((await hmrc.client.findVatInformation(call, user.vrn))?.registeredOn).toMatch(/^20/);
  });

  it('gets a new obligation on the first day of each period, whether returns are filed or not', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const before = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    const end = before.at(-1)?.end ?? plainDate('2026-01-31');
    hmrc.moveClock(`${end}T22:00:00Z`);
    const { accessToken } = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, user.userId) });
    const laterCall = { ...call, accessToken };
    expect(await hmrc.client.listObligations(laterCall, user.vrn, { status: 'open' })).toHaveLength(2);
    hmrc.moveClock(new Date(Date.parse(`${end}T00:30:00Z`) + 86_400_000).toISOString());
    const { accessToken: nextToken } = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, user.userId) });
    const after = await hmrc.client.listObligations({ ...call, accessToken: nextToken }, user.vrn, { status: 'open' });
    expect(after).toHaveLength(3);
  });
});

describe('filing', () => {
  it('is accepted once, with a complete receipt, and is shown as fulfilled the next morning', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await findEndedObligation(hmrc, call, user.vrn);
    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toBeUndefined();

    const receipt = await hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES);
    expect(receipt).toMatchObject({ processedAt: '2026-11-18T10:00:00.000Z', paymentIndicator: 'BANK' });
    expect(receipt.formBundleNumber).toMatch(/^\d{12}$/);
    expect(receipt.chargeRefNumber).toBeUndefined();
    expect(receipt.receiptId).toHaveLength(36);
    expect(receipt.receiptTimestamp).toBe('2026-11-18T10:00:00Z');
    expect(receipt.verbatim.status).toBe(201);
    expect(JSON.parse(receipt.verbatim.body)).toMatchObject({ formBundleNumber: receipt.formBundleNumber });
    expect(receipt.verbatim.headers).toMatchObject({ 'receipt-id': receipt.receiptId, 'x-correlationid': receipt.correlationId });

    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toEqual(REPAYMENT_BOXES);
    const readStatus = async () =>
      (await hmrc.client.listObligations(call, user.vrn, { from: plainDate('2026-01-01'), to: plainDate('2026-12-31') })).find(
        (obligation) => obligation.periodKey === periodKey,
      );
    expect(await readStatus()).toMatchObject({ status: 'open' });
    expect((await readStatus())?.received).toBeUndefined();

    const secondError = await expectProviderError(hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES));
    expect([secondError.failure, secondError.facts.status, secondError.facts.code]).toEqual(['refused', 403, 'DUPLICATE_SUBMISSION']);
    expect(hmrc.controls.listReturns(user.vrn)).toMatchObject([{ periodKey, timesAccepted: 1 }]);

    hmrc.moveClock('2026-11-19T07:00:00Z');
    const { accessToken } = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, user.userId) });
    const obligationsNextDay = await hmrc.client.listObligations({ ...call, accessToken }, user.vrn, {
      from: plainDate('2026-01-01'),
      to: plainDate('2026-12-31'),
    });
    expect(obligationsNextDay.find((obligation) => obligation.periodKey === periodKey)).toMatchObject({
      status: 'fulfilled',
      received: '2026-11-18',
    });
  });

  it('accepts exactly one of several equal simultaneous submissions', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await findEndedObligation(hmrc, call, user.vrn);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(hmrc.controls.listReturns(user.vrn)[0]?.timesAccepted).toBe(1);
  });

  it('sends exact amounts, up to the largest', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await findEndedObligation(hmrc, call, user.vrn);
    const sentUrls: string[] = [];
    const client = createHmrcClient({
      ...hmrc.clientDeps,
      fetch: (input, init) => {
        if (typeof init?.body === 'string') sentUrls.push(init.body);
        return fetch(input, init);
      },
    });
    const largestBoxes: NineBoxes = {
      box1: pence(999_999_999_999_999),
      box2: pence(-30),
      box3: pence(999_999_999_999_969),
      box4: pence(999_999_999_999_939),
      box5: pence(30),
      box6: toWholePounds(-9_999_999_999_999),
      box7: toWholePounds(9_999_999_999_999),
      box8: toWholePounds(0),
      box9: toWholePounds(1),
    };
    await client.submitReturn(call, user.vrn, periodKey, largestBoxes);
    expect(sentUrls[0]).toBe(
      `{"periodKey":"${periodKey}","vatDueSales":9999999999999.99,"vatDueAcquisitions":-0.30,"totalVatDue":9999999999999.69,` +
        '"vatReclaimedCurrPeriod":9999999999999.39,"netVatDue":0.30,"totalValueSalesExVAT":-9999999999999,' +
        '"totalValuePurchasesExVAT":9999999999999,"totalValueGoodsSuppliedExVAT":0,"totalAcquisitionsExVAT":1,"finalised":true}',
    );
    expect(await client.findReturn(call, user.vrn, periodKey)).toEqual(largestBoxes);
  });

  it('rejects a period that has not ended and an unknown period key', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const current = (await hmrc.client.listObligations(call, user.vrn, { status: 'open' })).at(-1);
    const earlyError = await expectProviderError(hmrc.client.submitReturn(call, user.vrn, current?.periodKey ?? '', REPAYMENT_BOXES));
    expect([earlyError.failure, earlyError.facts.code]).toEqual(['refused', 'TAX_PERIOD_NOT_ENDED']);
    const unknownPeriodError = await expectProviderError(hmrc.client.submitReturn(call, user.vrn, '#00Z', REPAYMENT_BOXES));
    expect([unknownPeriodError.failure, unknownPeriodError.facts.code]).toEqual(['refused', 'PERIOD_KEY_INVALID']);
    expect(hmrc.controls.listReturns(user.vrn)).toEqual([]);
  });

  it('rejects a return on the last day of its period and accepts it the day after', async () => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const current = (await hmrc.client.listObligations(call, user.vrn, { status: 'open' })).at(-1);
    const { end = '', periodKey = '' } = current ?? {};
    const submit = async (now: string) => {
      hmrc.moveClock(now);
      const { accessToken } = await hmrc.client.exchangeCode({ code: await requestCode(hmrc, user.userId) });
      return hmrc.client.submitReturn({ ...call, accessToken }, user.vrn, periodKey, REPAYMENT_BOXES);
    };
    expect((await expectProviderError(submit(`${end}T23:30:00Z`))).facts.code).toBe('TAX_PERIOD_NOT_ENDED');
    const nextDay = new Date(Date.parse(`${end}T00:30:00Z`) + 86_400_000).toISOString();
    expect((await submit(nextDay)).paymentIndicator).toBe('BANK');
  });

  it('keeps accepted returns after a restart of the simulator', async ({ onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hmrc-simulator-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const storeFile = join(folder, 'simulator.sqlite');
    const first = await startHmrc({ storeFile });
    const { user, call } = await connectTrader(first);
    const { periodKey } = await findEndedObligation(first, call, user.vrn);
    await first.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES);
    await first.close();
    const second = await startHmrc({ storeFile });
    const secondError = await expectProviderError(second.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES));
    expect(secondError.facts.code).toBe('DUPLICATE_SUBMISSION');
  });
});

describe('the VAT number look-up', () => {
  it('finds test organisations and HMRC’s published numbers, and returns undefined for others', async () => {
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
    expect((await expectProviderError(hmrc.client.lookupVatNumber('GB100190874'))).failure).toBe('refused');
  });

  it('requests one application token for many look-ups, and a new one when it has expired', async () => {
    const hmrc = await startHmrc();
    const listTokenCalls = () => hmrc.controls.listCalls(200).filter(({ operation }) => operation === 'hmrc.token').length;
    await Promise.all([hmrc.client.lookupVatNumber('553557881'), hmrc.client.lookupVatNumber('553557881')]);
    expect(listTokenCalls()).toBeLessThanOrEqual(2);
    const before = listTokenCalls();
    await hmrc.client.lookupVatNumber('553557881');
    expect(listTokenCalls()).toBe(before);
    hmrc.moveClock('2026-11-18T14:30:00Z');
    await hmrc.client.lookupVatNumber('553557881');
    expect(listTokenCalls()).toBe(before + 1);
  });
});
