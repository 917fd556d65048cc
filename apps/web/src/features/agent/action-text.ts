/** Describes what a proposal would do, and its outcome. */
import type { AgentProposal } from '@portal/contract/agent.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { TAX_NAMES_IN_SENTENCE } from '@portal/domain/uk-tax/tax.ts';

/** Describes what the proposal would do, in one line. The text of a message is shown separately. */
export function describeProposedAction({ act, filled, client, task_owner: owner }: AgentProposal): string {
  switch (act.kind) {
    case 'message':
      return `Send a message to ${filled?.to ?? 'the client, who doesn’t have an email address'}`;
    case 'request_authorisation':
      return `Request authorisation for ${TAX_NAMES_IN_SENTENCE[act.tax]} at HMRC, and email the client HMRC’s link unless your practice has switched that off`;
    case 'propose_advance':
      return `Propose the early refund to ${client.name}: each person with access gets one email, and it appears in the client portal. Only they can accept an offer`;
    case 'task':
      return `Create a task: ${act.title}${act.due_on === null ? '' : `, due on ${formatDate(act.due_on, 'short')}`}, ${describeTaskOwner(act.owner_id, owner)}`;
    case 'assign':
      return `Assign ${client.name} to ${act.name} as ${act.duty}`;
    case 'assign_task':
      return `Assign the task “${act.title}” to ${act.name}`;
    case 'tag':
      return `Tag ${client.name} with “${act.tag}”`;
    case 'note':
      return 'Add a note';
    case 'refresh':
      return `Refresh ${TAX_NAMES_IN_SENTENCE[act.tax]} from HMRC`;
    case 'watch':
      return 'No action: the assistant is only watching this';
  }
}

function describeTaskOwner(ownerId: string | null, owner: string | null): string {
  if (owner !== null) return `for ${owner}`;
  return ownerId === null ? 'not assigned to anyone' : 'for someone who isn’t in your team';
}

const REJECTION_EFFECT_LABELS = {
  snooze: 'snoozed',
  threshold: 'threshold changed',
  never: 'never for this client',
  wrong: 'wrong',
} as const;

export function describeOutcome(proposal: AgentProposal): string {
  const { state, decided_by: by, is_by_agent: isByAgent, lesson, reason, snoozed_until: snoozedUntil } = proposal;
  const actorName = by ?? 'a former colleague';
  switch (state) {
    case 'done':
      return isByAgent ? `Done automatically, with ${actorName}’s permissions` : `Approved by ${actorName}`;
    case 'reverted':
      return `Reverted by ${actorName}`;
    case 'withdrawn':
      return 'No longer needed';
    case 'snoozed':
      return `Snoozed by ${actorName}${snoozedUntil === null ? '' : ` until ${formatDate(snoozedUntil)}`}`;
    case 'rejected':
      return `Rejected by ${actorName}${lesson === null ? '' : `: ${REJECTION_EFFECT_LABELS[lesson]}`}${reason === null ? '' : ` (${reason})`}`;
    case 'acting':
      return 'In progress';
    case 'open':
      return '';
  }
}
