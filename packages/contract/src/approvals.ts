/**
 * Requests for actions that need two people. Each action has its own endpoint for requesting it; the endpoints here decide on the requests.
 */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { doneOutput, idScalar, instantScalar } from './scalars.ts';

/** `company_id` is the company concerned, or the nil UUID if the action doesn't concern a company. */
const requestInput = z.object({ company_id: idScalar, request_id: idScalar });

const approvalRequest = z.object({
  request_id: idScalar,
  company_id: idScalar,
  /** Null if the action doesn't concern a company. */
  company_name: z.nullable(z.string()),
  /** The action's key, for example "credit.allocate". */
  action: z.string(),
  /** ID of the object that the action changes. */
  subject: z.string(),
  /** What approval would do, as one or more sentences. */
  description: z.string(),
  reason: z.string(),
  requested_by: z.string(),
  requested_at: instantScalar,
  /** Whether the user may reject the request. They must not be the requester, and must have the right that the action needs. */
  can_decide: z.boolean(),
  /** False also if the description requires someone else. */
  can_approve: z.boolean(),
  can_withdraw: z.boolean(),
});

/** The response to a request for a two-person action. */
export const requestedOutput = z.object({ request_id: idScalar });

export const approvalsApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/approvals',
    access: 'operator',
    summary: 'List the requests awaiting approval by a second person, oldest first',
    input: z.object({}),
    output: z.object({ requests: z.array(approvalRequest), count: z.int() }),
  }),
  approve: endpoint({
    method: 'POST',
    path: '/operator/approvals/approve',
    access: 'operator',
    summary: 'Approve another person’s request and carry it out. If the facts have changed since, the call is rejected with the reason.',
    input: requestInput,
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  reject: endpoint({
    method: 'POST',
    path: '/operator/approvals/reject',
    access: 'operator',
    summary: 'Reject another person’s request, with a reason. Nothing changes.',
    input: z.extend(requestInput, {
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
    }),
    output: doneOutput,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/operator/approvals/withdraw',
    access: 'operator',
    summary: 'Withdraw your own request. Nothing changes.',
    input: requestInput,
    output: doneOutput,
  }),
};
