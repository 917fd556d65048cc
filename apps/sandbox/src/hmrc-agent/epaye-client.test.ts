/**
 * Tests ePAYE 1.0 wire shapes with the examples of HMRC's API description. There is no simulator, because the real API isn't available to
 * us yet.
 */
import { toTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { parseEmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import { expect, it, onTestFinished } from 'vitest';
import { startSimulatorHost } from '../simulator/host-simulators.ts';
import { requestUrl } from '../simulator/request.ts';
import { expectProviderError } from '../hmrc/testing/filing.ts';
import { createEpayeClient } from '@portal/providers/hmrc-agent/epaye-client.ts';

const clearedAmounts = { clearedByCredits: 100, clearedByPayments: 200, clearedByWriteOffs: 0 };
const TAX_YEAR = { year: '2016-17', firstDay: '2016-04-06', lastDay: '2017-04-05' };
const TAX_MONTH = { month: 4, firstDay: '2016-07-06', lastDay: '2016-08-05' };
const STATEMENT_BODY = {
  taxOfficeNumber: '001',
  taxOfficeReference: 'AB00001',
  taxYear: TAX_YEAR,
  nonRtiCharges: [{ code: 'NON_RTI_CIS_FIXED_PENALTY', amount: 5000, ...clearedAmounts, balance: 2500.5, dueDate: '2016-07-22' }],
  _embedded: {
    earlierYearUpdate: { amount: 2000, ...clearedAmounts, balance: 1500, dueDate: '2016-05-22' },
    rtiCharges: [
      { taxMonth: TAX_MONTH, amount: 1200, ...clearedAmounts, balance: 900, dueDate: '2016-08-22', isSpecified: false, _links: {} },
    ],
  },
  _links: {},
};
const HISTORY_BODY = {
  taxYear: TAX_YEAR,
  payments: [{ paymentDate: '2016-11-08', amount: 1400, allocatedAmount: 1000, method: 'Debit Card', allocations: [] }],
};

async function startFakeApi(responses: Readonly<Record<string, [number, unknown]>>) {
  const requestedPaths: string[] = [];
  const host = await startSimulatorHost(
    [
      {
        basePath: '',
        plugin: async (app) => {
          app.get('/*', (request, reply) => {
            const { pathname } = requestUrl(request);
            requestedPaths.push(pathname);
            const [status, body] = responses[pathname] ?? [404, { code: 'NOT_FOUND', message: 'none' }];
            return reply.code(status).send(body);
          });
        },
      },
    ],
    0,
    '127.0.0.1',
  );
  onTestFinished(() => host.close());
  const employer = parseEmployerPayeReference('001/AB00001');
  if (!employer.ok) throw new Error(employer.reason);
  const client = createEpayeClient({ apiUrl: host.url, fetch });
  return {
    asked: requestedPaths,
    find: () => client.findStatement({ accessToken: 'a', fraudHeaders: {} }, employer.value, toTaxYear(2016)),
  };
}

it('a year’s statement becomes charges and payments with the statement import’s titles', async () => {
  const { asked: requestedPaths, find } = await startFakeApi({
    '/organisations/paye/001/AB00001/statements/2016-17': [200, STATEMENT_BODY],
    '/organisations/paye/001/AB00001/payment-history/2016-17': [200, HISTORY_BODY],
  });
  expect(await find()).toEqual({
    charges: [
      { title: 'Earlier year update, 2016-17', kind: 'tax', original: 200_000, outstanding: 150_000, due: '2016-05-22' },
      {
        title: 'PAYE and National Insurance, month 4 2016-17',
        kind: 'tax',
        original: 120_000,
        outstanding: 90_000,
        due: '2016-08-22',
        period: { start: '2016-07-06', end: '2016-08-05' },
      },
      {
        title: 'CIS fixed penalty',
        kind: 'penalty',
        original: 500_000,
        outstanding: 250_050,
        due: '2016-07-22',
        reference: 'NON_RTI_CIS_FIXED_PENALTY',
      },
    ],
    payments: [{ amount: 140_000, received: '2016-11-08' }],
  });
  expect(requestedPaths).toHaveLength(2);
});

it('an employer without data is undefined, and a missing enrolment is HMRC’s error', async () => {
  expect(await (await startFakeApi({})).find()).toBeUndefined();
  const refusingApi = await startFakeApi({
    '/organisations/paye/001/AB00001/statements/2016-17': [
      403,
      { code: 'INSUFFICIENT_ENROLMENTS', message: 'You are not currently enrolled for ePAYE' },
    ],
  });
  const failure = await expectProviderError(refusingApi.find());
  expect([failure.failure, failure.facts.code]).toEqual(['refused', 'INSUFFICIENT_ENROLMENTS']);
});
