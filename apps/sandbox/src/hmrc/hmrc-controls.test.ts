/** Tests the HMRC controls: repayment stages, situations, and recorded calls. */
import { AppError } from '@portal/domain/app-error.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { createHmrcControls } from './hmrc-controls.ts';
import { expectProviderError, findEndedObligation, REPAYMENT_BOXES } from './testing/filing.ts';
import { connectTrader, createOrganisation, startHmrc, type StartOptions } from './testing/start-hmrc.ts';

/** Files a repayment return of 13,765.54, after the optional preparation. */
async function fileRepayment(prepare?: (setup: Awaited<ReturnType<typeof startTrader>>) => Promise<void>, options: StartOptions = {}) {
  const traderSetup = await startTrader(options);
  await prepare?.(traderSetup);
  const { hmrc, user, call } = traderSetup;
  const { periodKey } = await findEndedObligation(hmrc, call, user.vrn);
  await hmrc.client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES);
  const findClaim = () => hmrc.controls.listRepayments(user.vrn).find((repayment) => repayment.periodKey === periodKey);
  const findCharge = async () => {
    const range = { from: plainDate('2026-06-01'), to: hmrc.clock.today() };
    return (await hmrc.client.listLiabilities(call, user.vrn, range)).find(({ period }) => period?.end === '2026-10-31');
  };
  return { ...traderSetup, periodKey, claim: findClaim, charge: findCharge };
}

async function startTrader(options: StartOptions = {}) {
  const hmrc = await startHmrc(options);
  return { hmrc, ...(await connectTrader(hmrc)) };
}

async function getErrorCode(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((thrownError: unknown) => thrownError);
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
  return error.code;
}

describe('a repayment claim', () => {
  it('is approved and paid into the bank account that HMRC holds, once, and its charge is then cleared', async () => {
    const { hmrc, user, periodKey, claim, charge } = await fileRepayment();
    expect(claim()).toMatchObject({ stage: 'INITIAL', claimedPence: 1_376_554 });
    expect(await charge()).toMatchObject({ type: 'VAT Return Credit Charge', original: -1_376_554, outstanding: -1_376_554 });
    hmrc.controls.setRepaymentAccount(user.vrn, { sortCode: '040668', accountNumber: '00000871', accountName: 'Collection' });
    await hmrc.controls.moveRepayment(user.vrn, periodKey, 'REPAYMENT_APPROVED');
    await hmrc.controls.moveRepayment(user.vrn, periodKey, 'PAID');
    const reference = `HMRC VTR ${user.vrn}`;
    expect(hmrc.credits).toEqual([{ vrn: user.vrn, sortCode: '040668', accountNumber: '00000871', amountPence: 1_376_554, reference }]);
    expect(claim()?.stages.map(({ stage }) => stage)).toEqual(['INITIAL', 'REPAYMENT_APPROVED', 'PAID']);
    expect((await charge())?.outstanding).toBe(0);
    expect(await getErrorCode(hmrc.controls.moveRepayment(user.vrn, periodKey, 'PAID'))).toBe('hmrc.repayment_final');
    expect(hmrc.credits).toHaveLength(1);
  });

  it('is paid by post when HMRC holds no account', async () => {
    const { hmrc, user, periodKey, claim } = await fileRepayment();
    hmrc.controls.setRepaymentAccount(user.vrn, undefined);
    await hmrc.controls.moveRepayment(user.vrn, periodKey, 'PAID');
    expect(hmrc.credits).toEqual([]);
    expect(claim()?.paid).toMatchObject({ by: 'payable_order', amountPence: 1_376_554 });
  });

  it('stays unpaid when the bank rejects the payment', async () => {
    const { hmrc, user, periodKey, claim, charge } = await fileRepayment();
    const controls = createHmrcControls({ ...hmrc.deps, payRepayment: () => Promise.reject(new Error('bank closed')) });
    await expect(controls.moveRepayment(user.vrn, periodKey, 'PAID')).rejects.toThrow('bank closed');
    expect(claim()).toMatchObject({ stage: 'INITIAL' });
    expect((await charge())?.outstanding).toBe(-1_376_554);
  });

  it('is repaid at HMRC’s figure when adjusted, and becomes a debt when tax is due instead', async () => {
    const adjustedRepayment = await fileRepayment();
    const moveRepayment = adjustedRepayment.hmrc.controls.moveRepayment;
    expect(await getErrorCode(moveRepayment(adjustedRepayment.user.vrn, adjustedRepayment.periodKey, 'REPAYMENT_ADJUSTED'))).toBe(
      'hmrc.amount_missing',
    );
    await moveRepayment(adjustedRepayment.user.vrn, adjustedRepayment.periodKey, 'REPAYMENT_ADJUSTED', 900_000);
    expect(await adjustedRepayment.charge()).toMatchObject({ original: -900_000, outstanding: -900_000 });
    await moveRepayment(adjustedRepayment.user.vrn, adjustedRepayment.periodKey, 'PAID');
    expect(adjustedRepayment.hmrc.credits.map(({ amountPence }) => amountPence)).toEqual([900_000]);

    const owingTrader = await fileRepayment();
    await owingTrader.hmrc.controls.moveRepayment(owingTrader.user.vrn, owingTrader.periodKey, 'ADJUSMENT_TO_TAX_DUE', 50_000);
    expect(await owingTrader.charge()).toMatchObject({ type: 'VAT Return Debit Charge', original: 50_000, outstanding: 50_000 });
    expect(await getErrorCode(owingTrader.hmrc.controls.moveRepayment(owingTrader.user.vrn, owingTrader.periodKey, 'PAID'))).toBe(
      'hmrc.repayment_final',
    );
  });

  it('moves with the clock only when automatic repayments are on', async () => {
    const { hmrc, user, claim } = await fileRepayment();
    hmrc.moveClock('2026-12-18T10:00:00Z');
    await hmrc.controls.advanceToClock();
    expect(claim()?.stage).toBe('INITIAL');
    hmrc.moveClock('2026-11-23T10:00:00Z');
    hmrc.controls.setAutomaticRepayments(true);
    await hmrc.controls.advanceToClock();
    expect(claim()?.stage).toBe('REPAYMENT_APPROVED');
    hmrc.moveClock('2026-11-26T10:00:00Z');
    await hmrc.controls.advanceToClock();
    await hmrc.controls.advanceToClock();
    expect(claim()?.stage).toBe('PAID');
    expect(hmrc.credits).toMatchObject([{ vrn: user.vrn, amountPence: 1_376_554 }]);
  });
});

describe('a trader’s situation', () => {
  it('overdue_return adds an open obligation in the past, and normal removes it', async () => {
    const { hmrc, user, call } = await startTrader();
    await hmrc.controls.chooseSituation(user.vrn, 'overdue_return');
    const openObligations = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    expect(openObligations.filter(({ due }) => due < hmrc.clock.today())).toHaveLength(1);
    await hmrc.controls.chooseSituation(user.vrn, 'normal');
    expect(await hmrc.client.listObligations(call, user.vrn, { status: 'open' })).toHaveLength(2);
  });

  it('suspended holds a claim until the outstanding return is filed', async () => {
    const { hmrc, user, call, periodKey, claim } = await fileRepayment(({ hmrc: simulator, user: { vrn } }) =>
      simulator.controls.chooseSituation(vrn, 'suspended'),
    );
    expect(claim()?.stage).toBe('INITIAL');
    await hmrc.controls.chooseSituation(user.vrn, 'suspended');
    expect(claim()?.stage).toBe('REPAYMENT_SUSPENDED');
    expect(await getErrorCode(hmrc.controls.moveRepayment(user.vrn, periodKey, 'PAID'))).toBe('hmrc.return_outstanding');
    const overdueObligation = (await hmrc.client.listObligations(call, user.vrn, { status: 'open' }))[0];
    await hmrc.client.submitReturn(call, user.vrn, overdueObligation?.periodKey ?? '', REPAYMENT_BOXES);
    expect(claim()?.stage).toBe('INITIAL');
  });

  it.each([
    ['query', { stage: 'CLAIM_QUERIED', setOffPence: 0 }],
    ['adjustment', { stage: 'REPAYMENT_ADJUSTED', hmrcPence: 825_932 }],
    ['set_off', { stage: 'INITIAL', setOffPence: 550_621 }],
  ] as const)('%s applies to the unpaid claim, or to the next one', async (situation, expected) => {
    const after = await fileRepayment();
    await after.hmrc.controls.chooseSituation(after.user.vrn, situation);
    expect(after.claim()).toMatchObject(expected);
    const before = await fileRepayment(({ hmrc, user }) => hmrc.controls.chooseSituation(user.vrn, situation));
    expect(before.claim()).toMatchObject(expected);
  });

  it('set_off pays the rest to the trader and the retained amount towards HMRC’s debt', async () => {
    const { hmrc, user, call, periodKey } = await fileRepayment();
    await hmrc.controls.chooseSituation(user.vrn, 'set_off');
    const listDebts = async () =>
      (await hmrc.client.listLiabilities(call, user.vrn, { from: plainDate('2026-01-01'), to: hmrc.clock.today() }))
        .filter(({ outstanding }) => outstanding > 0)
        .map(({ outstanding }) => outstanding);
    expect(await listDebts()).toEqual([550_621]);
    await hmrc.controls.moveRepayment(user.vrn, periodKey, 'PAID');
    expect(hmrc.credits.map(({ amountPence }) => amountPence)).toEqual([1_376_554 - 550_621]);
    expect(await listDebts()).toEqual([]);
  });

  it('insolvent makes HMRC reject every VAT call', async () => {
    const { hmrc, user, call } = await startTrader();
    await hmrc.controls.chooseSituation(user.vrn, 'insolvent');
    const error = await expectProviderError(hmrc.client.listObligations(call, user.vrn, { status: 'open' }));
    expect([error.failure, error.facts.code]).toEqual(['refused', 'RULE_INSOLVENT_TRADER']);
  });

  it('debt shows an overdue charge', async () => {
    const { hmrc, user, call } = await startTrader();
    await hmrc.controls.chooseSituation(user.vrn, 'debt');
    const range = { from: plainDate('2026-01-01'), to: hmrc.clock.today() };
    const debt = (await hmrc.client.listLiabilities(call, user.vrn, range)).filter(({ outstanding }) => outstanding > 0);
    expect(debt).toMatchObject([{ type: 'VAT OA Debit Charge', outstanding: 275_000 }]);
    expect(debt[0]?.due && debt[0].due < hmrc.clock.today()).toBe(true);
  });
});

describe('a trader’s records', () => {
  it('are rewritten for another stagger or history, but never after a return was filed', async () => {
    const { hmrc, user, call } = await startTrader();
    hmrc.controls.setStagger(user.vrn, 'monthly');
    const openObligations = await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    expect(openObligations.map(({ start }) => start)).toEqual(['2026-10-01', '2026-11-01']);
    hmrc.controls.setHistory(user.vrn, { kind: 'payer', fulfilledPeriods: 2, typicalNetPence: 100_000 });
    const range = { from: plainDate('2026-06-01'), to: hmrc.clock.today() };
    const charges = await hmrc.client.listLiabilities(call, user.vrn, range);
    const payments = await hmrc.client.listPayments(call, user.vrn, range);
    expect(charges.map(({ original }) => original)).toEqual(payments.map(({ amount }) => amount));
    expect(charges).toHaveLength(2);
    await hmrc.client.submitReturn(call, user.vrn, openObligations[0]?.periodKey ?? '', REPAYMENT_BOXES);
    expect(() => hmrc.controls.setStagger(user.vrn, 1)).toThrow(AppError);
  });

  it('of a seeded organisation are created once', async () => {
    const hmrc = await startHmrc();
    const brightwell = {
      userId: 'brightwell',
      password: 'Sandbox-2026!',
      organisationName: 'Brightwell Exports Ltd',
      vrn: '100190874',
      vatRegistrationDate: plainDate('2019-04-01'),
    };
    hmrc.controls.seedOrganisation(brightwell);
    hmrc.moveClock('2027-06-01T10:00:00Z');
    hmrc.controls.seedOrganisation({ ...brightwell, organisationName: 'Another Ltd' });
    const [organisation] = await hmrc.controls.listOrganisations();
    expect(organisation).toMatchObject({ organisationName: 'Brightwell Exports Ltd', vrn: '100190874' });
    expect(organisation?.obligations).toHaveLength(8);
  });
});

describe('recorded calls', () => {
  it('have their fraud headers and grade, including rejected calls', async () => {
    const { hmrc, user, call } = await startTrader();
    await hmrc.client.listObligations(call, user.vrn, { status: 'open' });
    await expectProviderError(hmrc.client.listObligations({ accessToken: 'none', fraudHeaders: {} }, user.vrn, { status: 'open' }));
    const [rejectedCall, successfulCall] = hmrc.controls.listCalls();
    expect(rejectedCall).toMatchObject({ status: 401, operation: 'hmrc.obligations', fraudGrade: { code: 'INVALID_HEADERS' } });
    expect(successfulCall).toMatchObject({ status: 200, userId: user.userId, fraudGrade: { code: 'VALID_HEADERS' } });
    expect(successfulCall?.fraudHeaders['gov-client-public-ip']).toBe('198.51.100.0');
  });

  it('keep only the latest two hundred', async () => {
    const hmrc = await startHmrc();
    for (let count = 0; count < 105; count += 1) await createOrganisation(hmrc);
    expect(hmrc.controls.listCalls(1000)).toHaveLength(200);
  });
});
