/** Inviting many clients to the client portal in one run, and the state of all invitations. See docs/decisions/0061-notifications.md. */
import { INVITATION_STATES } from '@portal/domain/clients/invitation-state.ts';
import { INVITATION_RUN_STATES, INVITED_STATUSES, NOT_INVITED_REASONS } from '@portal/domain/invitation-runs/invitation-run.ts';
import { z } from 'zod/mini';
import { clientSelection, isSingleSelection, SINGLE_SELECTION_ERROR } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

const createCountsSchema = <Name extends string>(names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.int()])) as Record<Name, z.ZodMiniInt>);

const run = z.object({
  run_id: idScalar,
  state: z.enum(INVITATION_RUN_STATES),
  /** Why the run is paused for now. It resumes automatically. */
  waits: z.nullable(z.enum(['daily_limit', 'mail_server'])),
  total: z.int(),
  counts: createCountsSchema(INVITED_STATUSES),
  started_by: z.string(),
  started_at: instantScalar,
});
export type InvitationRun = z.output<typeof run>;

const invitedClient = z.object({
  client_id: idScalar,
  name: z.string(),
  email: z.string(),
  status: z.enum(INVITED_STATUSES),
  reason: z.nullable(z.string()),
  ended_at: z.nullable(instantScalar),
});
export type InvitedClient = z.output<typeof invitedClient>;

const invitationRow = z.object({
  invitation_id: idScalar,
  client_id: idScalar,
  name: z.string(),
  email: z.string(),
  state: z.enum(INVITATION_STATES),
  sent_at: z.nullable(instantScalar),
  expires_at: z.nullable(instantScalar),
});
export type InvitationRow = z.output<typeof invitationRow>;

const MAX_INVITATION_PAGE_SIZE = 200;

const runInput = z.extend(companyInput, { run_id: idScalar });

export const invitationRunsApi = {
  preview: endpoint({
    method: 'POST',
    path: '/open-tax/invitation-runs/preview',
    access: 'practice.invitations',
    summary: 'Count the selected clients that would be invited to the client portal, with a sample, and the remaining clients by reason',
    input: z.extend(companyInput, clientSelection).check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({
      ready: z.int(),
      sample: z.array(z.object({ name: z.string(), email: z.string() })),
      left_out: createCountsSchema(NOT_INVITED_REASONS),
    }),
    runsOneAtATime: true,
  }),
  start: endpoint({
    method: 'POST',
    path: '/open-tax/invitation-runs',
    access: 'practice.invitations',
    summary: 'Invite the selected clients in the background. The caller chooses `run_id`; repeating it sends no further invitations.',
    input: z
      .extend(runInput, {
        ...clientSelection,
        /** The number of clients in the preview. */
        count: z.int().check(z.minimum(1, 'Choose a client that can be invited')),
      })
      .check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({ run_id: idScalar, total: z.int() }),
    runsOneAtATime: true,
  }),
  list: endpoint({
    method: 'GET',
    path: '/open-tax/invitation-runs',
    access: 'practice.invitations',
    summary: 'List the latest 20 runs with their progress. A team member sees their own.',
    input: companyInput,
    output: z.object({ runs: z.array(run) }),
  }),
  details: endpoint({
    method: 'GET',
    path: '/open-tax/invitation-runs/details',
    access: 'practice.invitations',
    summary: 'Get a run with its clients, those needing attention first',
    input: z.extend(runInput, { status: z.optional(z.enum(INVITED_STATUSES)) }),
    /** Lists the first 200 clients. */
    output: z.object({ run, clients: z.array(invitedClient) }),
  }),
  pause: endpoint({
    method: 'POST',
    path: '/open-tax/invitation-runs/pause',
    access: 'practice.invitations',
    summary: 'Pause or resume a run of invitations. Invitations already being sent aren’t stopped.',
    input: z.extend(runInput, { is_paused: z.boolean() }),
    output: doneOutput,
  }),
  repeat: endpoint({
    method: 'POST',
    path: '/open-tax/invitation-runs/repeat',
    access: 'practice.invitations',
    summary: 'Resend an invitation that failed or whose outcome is unknown. Only a user can decide this.',
    input: z.extend(runInput, { client_id: idScalar }),
    output: doneOutput,
  }),
  states: endpoint({
    method: 'GET',
    path: '/open-tax/client-invitations',
    access: 'practice.invitations',
    summary: 'List the invitations of the visible clients, newest first, one page at a time, and count them by state',
    input: z.extend(companyInput, {
      state: z.optional(z.enum(INVITATION_STATES)),
      /** Words from the client's name or references, as in the client list, or part of the invited email address. */
      q: z.optional(z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters in your search'))),
      /** `next_cursor` of the previous page, with the same filters. */
      cursor: z.optional(z.string().check(z.maxLength(200))),
      limit: z._default(
        z.coerce
          .number()
          .check(z.int(), z.minimum(1), z.maximum(MAX_INVITATION_PAGE_SIZE, `Request at most ${MAX_INVITATION_PAGE_SIZE} invitations`)),
        50,
      ),
    }),
    output: z.object({
      /** The number in each state among all that match `q`, whatever their state. Null on further pages. */
      counts: z.nullable(createCountsSchema(INVITATION_STATES)),
      rows: z.array(invitationRow),
      next_cursor: z.nullable(z.string()),
    }),
  }),
};
