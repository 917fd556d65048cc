/** The trader's dashboard in one request: tasks, deadlines, totals and details. Every figure has its source and time. */
import { VAT_DIRECTIONS } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { HMRC_STATUSES } from '@portal/domain/vat-returns/hmrc-status.ts';
import { z } from 'zod';
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
        status: z.enum(HMRC_STATUSES).exclude(['ending']),
        /** When HMRC's figures were last read. */
        as_of: instantScalar.nullable(),
      }),
      obligations: z.array(
        obligationOutput.extend({
          /** Box 5 of the return, or of the books while it isn't filed. Null without figures. */
          amount: z.object({ box5_pence: penceScalar, direction: z.enum(VAT_DIRECTIONS), source: z.enum(['hmrc', 'books']) }).nullable(),
          /** The day we paid its refund early. */
          paid_on: dateScalar.nullable(),
          /** HMRC has repaid the refund, or has been paid. */
          settled: z.boolean(),
        }),
      ),
      /** The first period not yet filed, with figures from the books so far. */
      open_period: z
        .object({
          obligation_id: idScalar,
          period_start: dateScalar,
          period_end: dateScalar,
          due_on: dateScalar,
          ended: z.boolean(),
          estimate: nineBoxes.nullable(),
          rows: z.int(),
          source: z.string().nullable(),
          as_of: instantScalar.nullable(),
        })
        .nullable(),
      next_deadline: z.object({ what: z.string(), due_on: dateScalar, working_days_left: z.int(), overdue: z.boolean() }).nullable(),
      advance: z
        .object({
          advance_id: idScalar,
          obligation_id: idScalar,
          state: advanceState,
          refund_pence: penceScalar,
          fee_pence: penceScalar,
          net_pence: penceScalar,
          eligible: z.boolean(),
          timeline: z.array(timelineStage),
        })
        .nullable(),
      /** VAT in, out and net by period, oldest first: filed returns, then estimates from the books. */
      chart: z.array(
        z.object({
          period_end: dateScalar,
          vat_in_pence: penceScalar,
          vat_out_pence: penceScalar,
          net_pence: penceScalar,
          source: z.enum(['hmrc', 'books']),
        }),
      ),
      /** The company's tasks and the user's own, most urgent first: the same as in the list of all pending tasks. */
      tasks: z.array(pendingTask),
    }),
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/instant-vat/hmrc/refresh',
    access: 'company.manage',
    summary: 'Refresh obligations, filed returns, liabilities and payments from HMRC',
    input: companyInput,
    output: z.object({ status: z.enum(['refreshed', 'lapsed', 'unavailable']), message: z.string() }),
    callsHmrc: true,
  }),
};
export type DashboardOutput = z.output<(typeof dashboardApi)['get']['output']>;
