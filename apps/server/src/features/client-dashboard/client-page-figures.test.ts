/** Tests that the figures on a client's page equal the sums of its rows: the head, each tax's card, periods, charges and items. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { positionsApi } from '@portal/contract/positions.ts';
import type { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPortfolio, generatedTax, type GeneratedClient } from '../../testing/add-portfolio.ts';
import { addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

type Profile = EndpointOutput<typeof clientDashboardApi.profile>;
type Summary = EndpointOutput<typeof positionsApi.vatSummary>;
type PositionDetail = NonNullable<Summary['detail']>;

const SUMMARY_PATHS: Readonly<Record<Tax, string>> = {
  vat: positionsApi.vatSummary.path,
  paye: positionsApi.payeSummary.path,
  ct: positionsApi.corpTaxSummary.path,
  sa: positionsApi.selfAssessmentSummary.path,
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Every client has all four taxes, whether read or not. */
const clientsWithAllTaxes: fc.Arbitrary<GeneratedClient[]> = fc.array(
  fc.tuple(...TAXES.map((tax) => generatedTax.map((item) => ({ ...item, tax })))).map((taxes) => ({
    status: 'active' as const,
    kind: 'company' as const,
    isAssigned: false,
    hasYearEnd: true,
    taxes,
  })),
  { minLength: 10, maxLength: 14 },
);

async function get<Output>({ admin, companyId }: TestPractice, path: string, query: Record<string, string>): Promise<Output> {
  const { status, body } = await admin.get(path, { company_id: companyId, ...query });
  expect(status).toBe(200);
  return body as Output;
}

/** Sums the charges table: what remains of each charge after credits are set off, and of each credit. */
function sumCharges({ charges, computed_on: today }: PositionDetail) {
  const debits = charges.filter(({ kind }) => kind !== 'credit');
  const sumOutstanding = (list: typeof charges) =>
    sum(list.map(({ outstanding_pence: outstanding, set_off_pence: setOff }) => outstanding - setOff));
  return {
    owed: sumOutstanding(debits),
    overdue: sumOutstanding(debits.filter(({ due_on: due }) => due !== null && due < today)),
    refund: sum(
      charges
        .filter(({ kind }) => kind === 'credit')
        .map(({ outstanding_pence: outstanding, set_off_pence: setOff }) => -outstanding - setOff),
    ),
    interest: sum(charges.map(({ interest_pence: interest }) => interest)),
    penalty: sum(charges.map(({ penalty_pence: penalty }) => penalty)),
  };
}

function expectCard({ figures, detail }: Summary, label: string): void {
  if (!figures || !detail) return;
  const rows = sumCharges(detail);
  if (figures.owed_pence === null) {
    expect([label, figures.overdue_pence, figures.refund_pence]).toEqual([label, null, null]);
    return;
  }
  expect([label, figures.owed_pence, figures.overdue_pence, figures.refund_pence]).toEqual([label, rows.owed, rows.overdue, rows.refund]);
  expect([label, figures.interest_pence]).toEqual([label, rows.interest]);
  expect([label, figures.penalty_pence]).toEqual([label, rows.penalty + detail.late.late_submission_pence]);
  const lateItems = detail.items.filter(({ due_on: due }) => due < detail.computed_on);
  const isUpdate = ({ kind }: (typeof lateItems)[number]) => kind === 'quarterly_update';
  const returns = lateItems.filter(({ what }) => what === 'return');
  expect([label, figures.overdue_returns]).toEqual([label, returns.filter((item) => !isUpdate(item)).length]);
  expect([label, figures.overdue_updates]).toEqual([label, returns.filter(isUpdate).length]);
  // The items that the card lists as overdue are the charges in the table.
  const payments = lateItems.filter(({ what }) => what === 'payment');
  expect([label, sum(payments.map(({ amount_pence: amount }) => amount ?? 0))]).toEqual([label, rows.overdue]);
}

it('equal the sums of the rows below them, for clients with all taxes', async () => {
  await fc.assert(
    fc.asyncProperty(clientsWithAllTaxes, async (generatedClients) => {
      const practice = await addPractice(portal);
      const ids = await addPortfolio(portal, practice, generatedClients);
      for (const id of ids) {
        const profile = await get<Profile>(practice, '/client/profile', { client_id: id });
        const summaries = new Map<Tax, Summary>();
        for (const tax of TAXES) summaries.set(tax, await get<Summary>(practice, SUMMARY_PATHS[tax], { client_id: id }));
        for (const [tax, summary] of summaries) expectCard(summary, tax);
        const read = [...summaries.values()].flatMap(({ figures }) => (figures === null || figures.owed_pence === null ? [] : [figures]));
        const readHeadFigure = (name: 'owed_pence' | 'overdue_pence' | 'refund_pence') =>
          read.length === 0 ? null : sum(read.map((figures) => figures[name] ?? 0));
        expect([profile.owed_pence, profile.overdue_pence, profile.refund_pence]).toEqual([
          readHeadFigure('owed_pence'),
          readHeadFigure('overdue_pence'),
          readHeadFigure('refund_pence'),
        ]);
        expect(profile.unread_taxes).toEqual(TAXES.filter((tax) => !read.some((figures) => figures.tax === tax)));
        await expectPayeYears(practice, id);
      }
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 120_000);

/** Checks that each year’s total is the sum of its months and its other charges. */
async function expectPayeYears(practice: TestPractice, id: string): Promise<void> {
  for (const year of ['2025-26', '2026-27']) {
    const yearOutput = await get<EndpointOutput<typeof positionsApi.payeYear>>(practice, positionsApi.payeYear.path, {
      client_id: id,
      tax_year: year,
    });
    for (const name of ['charged_pence', 'outstanding_pence'] as const) {
      const knownAmounts = [...yearOutput.months, ...yearOutput.others].flatMap((one) => one[name] ?? []);
      expect([year, yearOutput[name]]).toEqual([year, knownAmounts.length === 0 ? null : sum(knownAmounts)]);
    }
  }
}
