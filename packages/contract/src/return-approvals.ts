/** Clients' approvals of their VAT returns, with questions and answers (docs/decisions/0060-client-vat-returns.md). */
import { APPROVAL_STATES, RETURN_STAGES } from '@portal/domain/vat-returns/return-approval.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';
import { nineBoxes } from './vat-returns.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });
const returnInput = z.extend(clientInput, { obligation_id: idScalar });

const MAX_MESSAGE_LENGTH = 2000;

const createMessageTextSchema = (subject: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `Enter ${subject}`),
      z.maxLength(MAX_MESSAGE_LENGTH, `Enter ${subject} of at most 2,000 characters`),
      z.regex(/^[^\0]*$/, `Enter ${subject} without control characters`),
    );

const returnMessage = z.object({
  message_id: idScalar,
  from_client: z.boolean(),
  author: z.string(),
  text: z.string(),
  written_at: instantScalar,
});
export type ReturnMessage = z.output<typeof returnMessage>;

/** One version of the figures sent to the client, and the client's response. */
const approval = z.object({
  approval_id: idScalar,
  state: z.enum(APPROVAL_STATES),
  /** True if an admin of the practice recorded the approval, rather than the client giving it here. */
  is_outside: z.boolean(),
  /** The practice's message with the figures, or how the client approved them elsewhere. */
  reason: z.string(),
  boxes: nineBoxes,
  /** Identifies the period and the boxes. */
  digest: z.string(),
  requested_by: z.string(),
  requested_at: instantScalar,
  reminded_at: z.nullable(instantScalar),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instantScalar),
  decided_from: z.nullable(z.string()),
  ended_at: z.nullable(instantScalar),
});
export type ReturnApproval = z.output<typeof approval>;

const approvalOutput = z.object({
  /** The version currently in force, otherwise the newest one. */
  approval: z.nullable(approval),
  messages: z.array(returnMessage),
  /** The number of the client's users who would receive the figures. */
  people: z.int(),
  /** `message`: whether the user may send a custom message with the figures. */
  may: z.object({ file: z.boolean(), approve_outside: z.boolean(), message: z.boolean() }),
});
export type ApprovalOutput = z.output<typeof approvalOutput>;

const ownReturn = z.object({
  approval_id: idScalar,
  obligation_id: idScalar,
  period_start: dateScalar,
  period_end: dateScalar,
  due_on: dateScalar,
  state: z.enum(APPROVAL_STATES),
  requested_at: instantScalar,
  filed_at: z.nullable(instantScalar),
  boxes: nineBoxes,
});
export type OwnReturn = z.output<typeof ownReturn>;

const ownReturnOutput = z.extend(ownReturn, {
  client: z.string(),
  practice: z.string(),
  digest: z.string(),
  is_outside: z.boolean(),
  reason: z.string(),
  requested_by: z.string(),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instantScalar),
  ended_at: z.nullable(instantScalar),
  messages: z.array(returnMessage),
  /** HMRC's receipt once the return is filed. */
  receipt: z.nullable(
    z.object({
      form_bundle_number: z.nullable(z.string()),
      charge_ref_number: z.nullable(z.string()),
      received_at: instantScalar,
      filed_by: z.string(),
      source: z.enum(['answer', 'read_back']),
    }),
  ),
});
export type OwnReturnOutput = z.output<typeof ownReturnOutput>;

const stagedReturn = z.object({
  client_id: idScalar,
  client: z.string(),
  stage: z.enum(RETURN_STAGES),
  period_start: z.nullable(dateScalar),
  period_end: dateScalar,
  due_on: dateScalar,
  is_overdue: z.boolean(),
  /** Null until figures have been sent. */
  obligation_id: z.nullable(idScalar),
  /** Box 5 of the figures sent, and which side pays. */
  box5_pence: z.nullable(penceScalar),
  direction: z.nullable(nineBoxes.shape.direction),
  /** When the return reached this stage; null for returns still to be prepared. */
  since: z.nullable(instantScalar),
  /** True if the figures changed after they were sent, which means that they must be sent again. */
  has_changed: z.boolean(),
});
export type StagedReturn = z.output<typeof stagedReturn>;

export const returnApprovalsApi = {
  stages: endpoint({
    method: 'GET',
    path: '/open-tax/vat-returns',
    access: 'practice.read',
    summary: 'List VAT returns in one stage for the clients that the user can view, earliest due first, with the number in each stage',
    input: z.extend(companyInput, {
      stage: z._default(z.enum(RETURN_STAGES), 'to_prepare'),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100_000)), 0),
    }),
    output: z.object({
      counts: z.array(z.object({ stage: z.enum(RETURN_STAGES), returns: z.int() })),
      returns: z.array(stagedReturn),
      next_offset: z.nullable(z.int()),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/client/vat-return/approval',
    access: 'client.read',
    summary: 'Get whether the client has approved a return, and the messages about it',
    input: returnInput,
    output: approvalOutput,
  }),
  send: endpoint({
    method: 'POST',
    path: '/client/vat-return/send-for-approval',
    access: 'client.work',
    summary:
      'Send a return’s figures to the client to approve or question. Withdraws any figures sent earlier. Including a message needs permission to message clients.',
    input: z.extend(returnInput, {
      /** The version of the figures that the practice member saw. */
      figures_version: z.string().check(z.minLength(1, 'Reopen the return, then try again')),
      text: z._default(z.string().check(z.trim(), z.maxLength(MAX_MESSAGE_LENGTH, 'Enter a message of at most 2,000 characters')), ''),
    }),
    output: approvalOutput,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/client/vat-return/withdraw-approval',
    access: 'client.work',
    summary: 'Withdraw figures sent to the client, approved or not, unless the return is filed or being filed',
    input: z.extend(returnInput, { approval_id: idScalar }),
    output: approvalOutput,
  }),
  stateOutside: endpoint({
    method: 'POST',
    path: '/client/vat-return/approved-outside',
    access: 'client.manage',
    summary: 'Record that the client approved exactly these figures outside the portal, and how',
    input: z.extend(returnInput, {
      figures_version: z.string().check(z.minLength(1, 'Reopen the return, then try again')),
      reason: z
        .string()
        .check(
          z.trim(),
          z.minLength(10, 'Enter who approved the figures, when and how, in at least 10 characters'),
          z.maxLength(MAX_MESSAGE_LENGTH, 'Enter at most 2,000 characters'),
          z.regex(/^[^\0]*$/, 'Remove the control characters'),
        ),
      confirm: z.literal(true, 'Confirm that the client has approved these figures'),
    }),
    output: approvalOutput,
  }),
  answer: endpoint({
    method: 'POST',
    path: '/client/vat-return/answer',
    access: 'client.work',
    summary: 'Send the client a message about a return',
    input: z.extend(returnInput, { message_id: idScalar, text: createMessageTextSchema('an answer') }),
    output: approvalOutput,
  }),
  ownList: endpoint({
    method: 'GET',
    path: '/client/portal/vat-returns',
    access: 'client.own',
    summary: 'List the client’s VAT returns that are waiting for approval, approved or filed, newest first',
    input: companyInput,
    output: z.object({ returns: z.array(ownReturn) }),
  }),
  ownGet: endpoint({
    method: 'GET',
    path: '/client/portal/vat-return',
    access: 'client.own',
    summary: 'Get the figures of a VAT return sent by the practice, with questions, answers and HMRC’s receipt',
    input: z.extend(companyInput, { approval_id: idScalar }),
    output: ownReturnOutput,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/client/portal/vat-return/approve',
    access: 'client.own',
    summary: 'Approve exactly the figures shown, so that the practice can file them',
    input: z.extend(companyInput, {
      approval_id: idScalar,
      digest: z.string().check(z.minLength(1, 'Reopen the return, then try again')),
      confirm: z.literal(true, 'Confirm that the figures are correct and complete'),
    }),
    output: ownReturnOutput,
  }),
  ask: endpoint({
    method: 'POST',
    path: '/client/portal/vat-return/ask',
    access: 'client.own',
    summary: 'Ask the practice a question about the figures',
    input: z.extend(companyInput, { approval_id: idScalar, message_id: idScalar, text: createMessageTextSchema('your question') }),
    output: ownReturnOutput,
  }),
};
