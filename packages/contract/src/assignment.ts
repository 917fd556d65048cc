/** Members' workloads, handing one member's clients over to another, and rules that assign imported clients. */
import { z } from 'zod/mini';
import { assignmentRulesEndpoints } from './assignment-rules.ts';
import { duty } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar } from './scalars.ts';

/** One member's workload, counting active clients. */
const memberWorkload = z.object({
  user_id: idScalar,
  full_name: z.string(),
  groups: z.array(z.string()),
  clients: z.int(),
  /** Returns, quarterly updates and payments due within 7 and within 30 days of today. */
  due_7: z.int(),
  due_30: z.int(),
  /** Clients with an overdue payment, return or quarterly update. */
  overdue_clients: z.int(),
});
export type MemberWorkload = z.output<typeof memberWorkload>;

export const assignmentApi = {
  workload: endpoint({
    method: 'GET',
    path: '/open-tax/team-workload',
    access: 'practice.manage',
    summary: 'Count each team member’s active clients, and how many have something due or overdue',
    input: companyInput,
    output: z.object({ today: dateScalar, members: z.array(memberWorkload), unassigned: z.int() }),
  }),
  handOver: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/hand-over',
    access: 'practice.manage',
    summary:
      'Reassign all of one team member’s clients, for one duty or all duties, to another team member. Can be undone within 24 hours.',
    input: z.extend(companyInput, {
      from_user_id: idScalar,
      user_id: idScalar,
      /** Defaults to every duty. */
      duty: z.optional(duty),
    }),
    output: z.object({
      changed: z.int(),
      /** One change for each duty that was handed over. Each can be undone like any bulk change. */
      changes: z.array(z.object({ change_id: idScalar, duty, clients: z.int() })),
    }),
  }),
  ...assignmentRulesEndpoints,
};
