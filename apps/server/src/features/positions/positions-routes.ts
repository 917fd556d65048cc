/** Handlers for reading positions. */
import type { positionsApi } from '@portal/contract/positions.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { toPayeYear } from './paye-year.ts';
import {
  findMinimumYear,
  getClientTaxes,
  getPosition,
  listSelfAssessmentClients,
  listUpcomingItems,
  toAprilYear,
} from './positions-queries.ts';

export function positionsHandlers({ database: { db }, clock }: AppDeps): Handlers<typeof positionsApi> {
  type ClientCall = { readonly tenant: ClientTenant };
  const createSummaryHandler =
    (tax: Tax) =>
    ({ tenant }: ClientCall) =>
      getPosition(db, tenant.practiceId, tenant.clientId, tax, clock.today());
  const loadDetail = async ({ tenant }: ClientCall, tax: Tax) => {
    const { detail, figures } = await getPosition(db, tenant.practiceId, tenant.clientId, tax, clock.today());
    return { detail, as_of: figures?.as_of ?? null };
  };
  const createUpcomingHandler =
    (tax: Tax): Handlers<typeof positionsApi>['upcomingVat'] =>
    ({ input: { client_id: clientId, cursor, limit }, tenant, actor }) =>
      listUpcomingItems(db, tenant.practiceId, tax, actor, { clientId, cursor, limit });
  const createMinimumYearHandler =
    (tax: Tax): Handlers<typeof positionsApi>['vatMinimumYear'] =>
    async ({ input, tenant, actor }) => ({ minimum_year: await findMinimumYear(db, tenant.practiceId, tax, actor, input.client_id) });
  return {
    vatSummary: createSummaryHandler('vat'),
    payeSummary: createSummaryHandler('paye'),
    corpTaxSummary: createSummaryHandler('ct'),
    selfAssessmentSummary: createSummaryHandler('sa'),
    clientTaxes: ({ tenant }) => getClientTaxes({ db, clock }, tenant.practiceId, tenant.clientId),
    upcomingVat: createUpcomingHandler('vat'),
    upcomingPaye: createUpcomingHandler('paye'),
    upcomingCorp: createUpcomingHandler('ct'),
    upcomingSelfAssessment: createUpcomingHandler('sa'),
    vatMinimumYear: createMinimumYearHandler('vat'),
    payeMinimumYear: createMinimumYearHandler('paye'),
    vatReturns: async (call) => {
      const { detail, as_of } = await loadDetail(call, 'vat');
      const year = Number(call.input.tax_year.slice(0, 4));
      return {
        client_id: call.tenant.clientId,
        periods: (detail?.periods ?? []).filter(({ end }) => toAprilYear(end) === year),
        refunds: (detail?.charges ?? []).filter(
          ({ kind, period_end }) => kind === 'credit' && period_end !== null && toAprilYear(period_end) === year,
        ),
        as_of,
      };
    },
    payeYear: async (call) =>
      toPayeYear(call.tenant.clientId, Number(call.input.tax_year.slice(0, 4)), (await loadDetail(call, 'paye')).detail?.periods ?? []),
    corpPeriods: async (call) => {
      const { detail, as_of } = await loadDetail(call, 'ct');
      return { client_id: call.tenant.clientId, periods: detail?.periods ?? [], as_of };
    },
    selfAssessmentPeriods: async (call) => {
      const { detail, as_of } = await loadDetail(call, 'sa');
      const { periods: years = [], quarterly_updates = [] } = detail ?? {};
      return { client_id: call.tenant.clientId, periods: years, quarterly_updates, as_of };
    },
    selfAssessmentPayments: async (call) => {
      const { detail, as_of } = await loadDetail(call, 'sa');
      return { client_id: call.tenant.clientId, payments: detail?.payments ?? [], charges: detail?.charges ?? [], as_of };
    },
    vatPeriodEnd: async (call) => {
      const { detail } = await loadDetail(call, 'vat');
      // Sorted newest first, so the last unfiled one is the earliest.
      const next = detail?.periods.findLast(({ return_state }) => return_state !== 'filed' && return_state !== null);
      return {
        period_end: next?.end ?? null,
        due_on: next?.return_due_on ?? null,
        source: next?.source ?? 'rule',
        as_of: next?.as_of ?? null,
      };
    },
    selfAssessmentClients: ({ input: { cursor, limit }, tenant, actor }) =>
      listSelfAssessmentClients(db, tenant.practiceId, actor, { cursor, limit, today: clock.today() }),
  };
}
