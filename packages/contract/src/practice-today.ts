/** The clients that need attention today, for the practice and for each colleague. Every number matches a filter of the client list. */
import { ATTENTION_GROUPS } from '@portal/domain/clients/attention.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `amount_pence` is the sum of the known amounts; null for groups without amounts and while no amount is known. */
const groupCount = z.object({ clients: z.int(), amount_pence: z.nullable(penceScalar) });

const todayRow = z.object({
  /** `all`: every client that the user may see. `none`: clients without an assigned member. */
  scope: z.enum(['all', 'member', 'none']),
  /** The colleague; null for `all` and `none`. A client assigned to two colleagues counts for both. */
  member: z.nullable(z.object({ user_id: idScalar, full_name: z.string(), is_you: z.boolean() })),
  clients: z.int(),
  groups: z.record(z.enum(ATTENTION_GROUPS), groupCount),
});
export type TodayRow = z.output<typeof todayRow>;

export const practiceTodayEndpoints = {
  today: endpoint({
    method: 'GET',
    path: '/open-tax/today',
    access: 'practice.read',
    summary:
      'Count the active clients that need attention today: for the practice, each team member and unassigned clients. A team member gets one row.',
    input: companyInput,
    output: z.object({ today: dateScalar, counted_at: instantScalar, rows: z.array(todayRow) }),
  }),
};
