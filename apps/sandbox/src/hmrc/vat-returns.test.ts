/**
 * Tests submitting and viewing returns over HTTP (docs/reference/hmrc.md sections 3.5 and 3.6). For the body checks see
 * check-return.test.ts.
 */
import { addMonths } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { reconnect, startWithTrader, VALID_RETURN } from './testing/raw-vat-calls.ts';

describe('submission (docs/reference/hmrc.md section 3.5)', () => {
  const post = (startedTrader: Awaited<ReturnType<typeof startWithTrader>>, body: string, headers: Record<string, string> = {}) =>
    startedTrader.send(`/${startedTrader.vrn}/returns`, { body, headers });

  it('reports malformed JSON in HMRC’s unusual shape, and single field errors inside errors', async () => {
    const startedTrader = await startWithTrader();
    expect(await (await post(startedTrader, '{"periodKey":')).json()).toEqual({ statusCode: 400, message: 'Invalid Json' });
    const response = await post(startedTrader, JSON.stringify({ ...VALID_RETURN, periodKey: '18a1' }));
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        code: 'INVALID_REQUEST',
        message: 'Invalid request',
        errors: [{ code: 'PERIOD_KEY_INVALID', message: 'period key should be a 4 character string', path: '/periodKey' }],
      },
    ]);
  });

  it('rejects a return without the declaration with 403 BUSINESS_ERROR and records nothing', async () => {
    const startedTrader = await startWithTrader();
    const response = await post(startedTrader, JSON.stringify({ ...VALID_RETURN, finalised: false }));
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: 'BUSINESS_ERROR',
      message: 'Business validation error',
      errors: [
        { code: 'NOT_FINALISED', message: 'The return cannot be accepted without a declaration it is finalised.', path: '/finalised' },
      ],
    });
    expect(response.headers.get('receipt-id')).toHaveLength(36);
    expect(response.headers.get('receipt-signature')).toBe('This has been deprecated - DO NOT USE');
    expect(startedTrader.hmrc.controls.listReturns(startedTrader.vrn)).toEqual([]);
  });

  it.each([
    ['INVALID_VRN', 400, { code: 'VRN_INVALID' }],
    ['INVALID_PERIODKEY', 400, { code: 'PERIOD_KEY_INVALID' }],
    ['INVALID_PAYLOAD', 400, { code: 'INVALID_REQUEST' }],
    ['DUPLICATE_SUBMISSION', 403, { code: 'BUSINESS_ERROR', errors: [{ code: 'DUPLICATE_SUBMISSION' }] }],
    ['TAX_PERIOD_NOT_ENDED', 403, { code: 'TAX_PERIOD_NOT_ENDED' }],
    ['INSOLVENT_TRADER', 403, { code: 'RULE_INSOLVENT_TRADER' }],
    ['NOT_FOUND', 400, { code: 'RULE_INCORRECT_GOV_TEST_SCENARIO' }],
  ])('returns the scenario %s', async (scenario, status, body) => {
    const response = await post(await startWithTrader(), JSON.stringify(VALID_RETURN), { 'gov-test-scenario': scenario });
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ code: body.code })]);
  });

  it('gives a debit charge its reference, without a payment indicator when there is no Direct Debit, and a nil return neither', async () => {
    const startedTrader = await startWithTrader();
    const { hmrc, vrn } = startedTrader;
    const open = (await hmrc.controls.listOrganisations())[0]?.obligations.filter(({ status }) => status === 'O') ?? [];
    const debitReturn = {
      ...VALID_RETURN,
      periodKey: open[0]?.periodKey,
      vatDueSales: 500,
      vatDueAcquisitions: 0,
      totalVatDue: 500,
      netVatDue: 399.7,
    };
    const receipt = (await (await post(startedTrader, JSON.stringify(debitReturn))).json()) as Record<string, string>;
    expect(receipt['chargeRefNumber']).toMatch(/^\w{16}$/);
    expect(receipt['paymentIndicator']).toBeUndefined();
    expect(hmrc.controls.listRepayments(vrn).filter(({ stage }) => stage !== 'PAID')).toEqual([]);
    hmrc.moveClock('2027-02-10T10:00:00Z');
    const zeroBoxes = { vatDueSales: 0, vatDueAcquisitions: 0, totalVatDue: 0, vatReclaimedCurrPeriod: 0, netVatDue: 0 };
    const reconnected = await reconnect(startedTrader.hmrc, startedTrader.user.userId);
    const nilReturnResponse = await post(
      startedTrader,
      JSON.stringify({ ...VALID_RETURN, ...zeroBoxes, periodKey: open[1]?.periodKey }),
      reconnected,
    );
    expect([nilReturnResponse.status, Object.keys((await nilReturnResponse.json()) as object).sort()]).toEqual([
      201,
      ['formBundleNumber', 'processingDate'],
    ]);
  });
});

describe('view (docs/reference/hmrc.md section 3.6)', () => {
  it('returns an empty 404 for an unfiled return, an error without a path for an invalid key, and 403 for an old return', async () => {
    const { hmrc, vrn, user, send } = await startWithTrader();
    const unfiledResponse = await send(`/${vrn}/returns/%23001`);
    expect([unfiledResponse.status, await unfiledResponse.text(), unfiledResponse.headers.has('content-type')]).toEqual([404, '', false]);
    expect(await (await send(`/${vrn}/returns/18a1`)).json()).toEqual({
      code: 'INVALID_REQUEST',
      message: 'Invalid request',
      errors: [{ code: 'PERIOD_KEY_INVALID', message: 'Invalid period key' }],
    });
    const oldestObligation = (await hmrc.controls.listOrganisations())[0]?.obligations[0];
    expect((await send(`/${vrn}/returns/${oldestObligation?.periodKey}`)).status).toBe(200);
    hmrc.moveClock(`${addMonths(oldestObligation?.end ?? hmrc.clock.today(), 49)}T10:00:00Z`);
    const oldResponse = await send(`/${vrn}/returns/${oldestObligation?.periodKey}`, { headers: await reconnect(hmrc, user.userId) });
    expect([oldResponse.status, await oldResponse.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'BUSINESS_ERROR', errors: [expect.objectContaining({ code: 'DATE_RANGE_TOO_LARGE' })] }),
    ]);
  });
});
