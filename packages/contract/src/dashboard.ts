/** The trader's dashboard in one request: tasks, deadlines, totals and details. Every figure has its source and time. */
import { VAT_DIRECTIONS } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { HMRC_STATUSES_WITHOUT_ENDING } from '@portal/domain/vat-returns/hmrc-status.ts';
import { z } from 'zod/mini';
import { advanceState, timelineStage } from './advances.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';
import { pendingTask } from './tasks.ts';
import { nineBoxes, obligationOutput } from './vat-returns.ts';

export const dashboardApi = {
  get: endpoint({
    method: 'GET',
    path: '/instant-vat/dashboard',
    access: 'company.read',
    summary: 'Get a trader’s dashboard: obligations, open period, next deadline, advance and tasks',
    input: companyInput,
    output: z.object({
      company: z.object({ company_id: idScalar, name: z.string(), vrn: z.string() }),
      today: dateScalar,
      hmrc: z.object({
        status: z.enum(HMRC_STATUSES_WITHOUT_ENDING),
        /** When HMRC's figures were last read. */
        as_of: z.nullable(instantScalar),
      }),
      obligations: z.array(
        z.extend(obligationOutput, {
          /** Box 5 of the return or, until it is filed, of the books. Null without figures. */
          amount: z.nullable(z.object({ box5_pence: penceScalar, direction: z.enum(VAT_DIRECTIONS), source: z.enum(['hmrc', 'books']) })),
          /** The day on which we paid out its refund early. */
          paid_on: z.nullable(dateScalar),
          /** Whether HMRC has repaid the refund or received the payment. */
          settled: z.boolean(),
        }),
      ),
      /** The first unfiled period, with figures from the books so far. */
      open_period: z.nullable(
        z.object({
          obligation_id: idScalar,
          period_start: dateScalar,
          period_end: dateScalar,
          due_on: dateScalar,
          ended: z.boolean(),
          estimate: z.nullable(nineBoxes),
          rows: z.int(),
          source: z.nullable(z.string()),
          as_of: z.nullable(instantScalar),
        }),
      ),
      next_deadline: z.nullable(z.object({ what: z.string(), due_on: dateScalar, working_days_left: z.int(), overdue: z.boolean() })),
      advance: z.nullable(
        z.object({
          advance_id: idScalar,
          obligation_id: idScalar,
          state: advanceState,
          refund_pence: penceScalar,
          fee_pence: penceScalar,
          /** What the trader receives: the refund less our fee and what we deduct for earlier differences. */
          net_pence: penceScalar,
          eligible: z.boolean(),
          timeline: z.array(timelineStage),
        }),
      ),
      /** Output VAT, input VAT and net VAT by period, oldest first: filed returns, then estimates from the books. */
      chart: z.array(
        z.object({
          period_end: dateScalar,
          vat_in_pence: penceScalar,
          vat_out_pence: penceScalar,
          net_pence: penceScalar,
          source: z.enum(['hmrc', 'books']),
        }),
      ),
      /** The company's tasks and the user's own, most urgent first, as in the list of all pending tasks. */
      tasks: z.array(pendingTask),
    }),
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/instant-vat/hmrc/refresh',
    access: 'company.prepare',
    summary: 'Refresh obligations, filed returns, liabilities and payments from HMRC',
    input: companyInput,
    output: z.object({ status: z.enum(['refreshed', 'lapsed', 'unavailable']), message: z.string() }),
    callsHmrc: true,
    maxPerPerson: 60,
  }),
};
export type DashboardOutput = z.output<(typeof dashboardApi)['get']['output']>;
