/**
 * Early refunds that a practice proposes to a client (docs/decisions/0073-proposing-an-early-refund.md). Only the client's own company on
 * InstantVAT can accept an offer, through the endpoints of advances.ts. The practice sees the progress, and amounts only while the client
 * shares them.
 */
import { PROPOSAL_STAGES } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, dateScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

const MAX_NOTE_LENGTH = 1000;

const returnInput = z.extend(companyInput, { client_id: idScalar, obligation_id: idScalar });
const proposalInput = z.extend(companyInput, { proposal_id: idScalar });

/** A note that the practice or the client sends to the other. */
export const proposalText = z._default(
  z
    .string()
    .check(z.trim(), z.maxLength(MAX_NOTE_LENGTH, 'Enter at most 1,000 characters'), z.regex(/^[^\0]*$/, 'Remove the control characters')),
  '',
);

/** The payout and our fee, both null until the client has an offer. */
const figures = z.object({ net_pence: z.nullable(penceScalar), fee_pence: z.nullable(penceScalar) });

const proposal = z.object({
  proposal_id: idScalar,
  stage: z.enum(PROPOSAL_STAGES),
  note: z.string(),
  proposed_by: z.string(),
  proposed_at: instantScalar,
  /** The last day on which the client can start. */
  last_day: dateScalar,
  seen_at: z.nullable(instantScalar),
  started_at: z.nullable(instantScalar),
  accepted_at: z.nullable(instantScalar),
  paid_at: z.nullable(instantScalar),
  settled_at: z.nullable(instantScalar),
  ended_at: z.nullable(instantScalar),
  /** Why the client declined, if they said. */
  ended_reason: z.string(),
  /** Null unless the client shares them. */
  figures: z.nullable(figures),
});
export type AdvanceProposal = z.output<typeof proposal>;

const proposalOutput = z.object({
  /** The latest proposal for the return's period. */
  proposal: z.nullable(proposal),
  /** The refund on the approved or filed return, or null if it doesn't have one. */
  refund_pence: z.nullable(penceScalar),
  /** Why the early refund can't be proposed now, or null if it can. */
  problem: z.nullable(z.string()),
  /** The number of users at the client who would receive the proposal. */
  people: z.int(),
  may_propose: z.boolean(),
});
export type AdvanceProposalOutput = z.output<typeof proposalOutput>;

const ownProposal = z.object({
  proposal_id: idScalar,
  stage: z.enum(PROPOSAL_STAGES),
  practice: z.string(),
  proposed_by: z.string(),
  proposed_at: instantScalar,
  note: z.string(),
  period_start: dateScalar,
  period_end: dateScalar,
  last_day: dateScalar,
  is_seen: z.boolean(),
  /** The refund on the return as it is now, or null if its figures have changed since and need another approval. */
  refund_pence: z.nullable(penceScalar),
  shares_figures: z.boolean(),
  /** The person at the client who continued in InstantVAT. */
  started_by: z.nullable(z.string()),
  is_starter: z.boolean(),
  /** Prefills the company form for the user to check. */
  company: z.object({ name: z.string(), company_number: z.string(), vrn: z.string() }),
  /** The user's own company with this VAT number. Null until the company exists, and for everyone else. */
  trader: z.nullable(z.object({ company_id: idScalar, name: z.string(), obligation_id: z.nullable(idScalar), has_offer: z.boolean() })),
});
export type OwnAdvanceProposal = z.output<typeof ownProposal>;

/** A proposal that the client's company accepted and that is no longer on the dashboard. */
const earlierProposal = z.object({
  proposal_id: idScalar,
  stage: z.enum(PROPOSAL_STAGES),
  period_start: dateScalar,
  period_end: dateScalar,
  proposed_at: instantScalar,
});

const ownOutput = z.object({ proposals: z.array(ownProposal), earlier: z.array(earlierProposal) });
export type OwnProposals = z.output<typeof ownOutput>;

export const advanceProposalsApi = {
  get: endpoint({
    method: 'GET',
    path: '/client/advance-proposal',
    access: 'client.read',
    summary: 'Get the progress of a proposed early refund on a client’s return, or the reason why one can’t be proposed',
    input: returnInput,
    output: proposalOutput,
  }),
  propose: endpoint({
    method: 'POST',
    path: '/client/advance-proposal/propose',
    access: 'client.propose_advance',
    summary: 'Propose an early refund to a client, for a return that is approved or filed',
    input: z.extend(returnInput, { note: proposalText }),
    output: proposalOutput,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/client/advance-proposal/withdraw',
    access: 'client.propose_advance',
    summary: 'Withdraw a proposed early refund that the client hasn’t accepted yet',
    input: z.extend(returnInput, { proposal_id: idScalar }),
    output: proposalOutput,
  }),
  ownList: endpoint({
    method: 'GET',
    path: '/client/portal/advance-proposals',
    access: 'client.own',
    summary:
      'List the practice’s open early refund proposals, newest first. Proposals settled at least 30 days ago, or paid at least 90 days ago, are returned as `earlier`.',
    input: companyInput,
    output: ownOutput,
  }),
  see: endpoint({
    method: 'POST',
    path: '/client/portal/advance-proposal/seen',
    access: 'client.own',
    summary: 'Record that a client user has seen a proposed early refund',
    input: proposalInput,
    output: ownOutput,
  }),
  start: endpoint({
    method: 'POST',
    path: '/client/portal/advance-proposal/start',
    access: 'client.own',
    summary:
      'Start a proposed early refund in the user’s own company on InstantVAT. The practice can then see its progress, and the amounts if the user shares them.',
    input: z.extend(proposalInput, { share_figures: z.boolean() }),
    output: ownOutput,
  }),
  shareFigures: endpoint({
    method: 'POST',
    path: '/client/portal/advance-proposal/share-figures',
    access: 'client.own',
    summary: 'Let the practice see the amount and fee of the early refund, or stop sharing them',
    input: z.extend(proposalInput, { share: z.boolean() }),
    output: ownOutput,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/client/portal/advance-proposal/decline',
    access: 'client.own',
    summary: 'Decline a proposed early refund, optionally with a reason. The practice can’t propose it again.',
    input: z.extend(proposalInput, { reason: proposalText }),
    output: ownOutput,
  }),
};
