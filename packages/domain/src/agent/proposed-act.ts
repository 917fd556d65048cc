/** What the agent can propose. Every act is one of the portal's ordinary writes, done with the rights of the person who approves it. */
import type { Duty } from '../clients/client.ts';
import type { PlainDate } from '../plain-date.ts';
import type { AgentTax } from '../uk-tax/tax.ts';
import type { WorkService } from '../work-items/work-item.ts';

/** `watch` proposes nothing: the finding itself is what matters. */
export const ACT_KINDS = [
  'message',
  'request_authorisation',
  'propose_advance',
  'task',
  'assign',
  'assign_task',
  'tag',
  'note',
  'refresh',
  'watch',
] as const;
export type ActKind = (typeof ACT_KINDS)[number];

/** `subject` and `body` may have the fields {client}, {practice} and {sender}; every figure is already in the text. */
export type ProposedAct =
  | { readonly kind: 'message'; readonly subject: string; readonly body: string }
  | { readonly kind: 'request_authorisation'; readonly tax: AgentTax }
  /** Proposes to the client's people that their company gets the refund of this return early. `note` is for them, and may be empty. */
  | { readonly kind: 'propose_advance'; readonly obligation_id: string; readonly note: string }
  | {
      readonly kind: 'task';
      readonly title: string;
      readonly notes: string;
      readonly service: WorkService;
      readonly due_on: PlainDate | null;
      readonly owner_id: string | null;
    }
  | { readonly kind: 'assign'; readonly user_id: string; readonly name: string; readonly duty: Duty }
  | { readonly kind: 'assign_task'; readonly item_id: string; readonly title: string; readonly user_id: string; readonly name: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'refresh'; readonly tax: AgentTax }
  | { readonly kind: 'watch' };

type ActRule = {
  /** For lists, for example “Send a message”. */
  readonly name: string;
  /** Stays inside the practice and can be reverted: act-on-safe may do it without a person. */
  readonly isSafe: boolean;
  /** Whether the portal can revert it. */
  readonly canRevert: boolean;
};

/**
 * Sending, filing, paying, pricing and deleting always need a person. A refresh is internal, but HMRC wants the headers of the person behind
 * each call (docs/reference/hmrc.md section 6), so a person starts it. A task is work for a colleague, so a person gives it.
 */
export const ACT_RULES: Readonly<Record<ActKind, ActRule>> = {
  message: { name: 'Send a message', isSafe: false, canRevert: false },
  request_authorisation: { name: 'Request authorisation', isSafe: false, canRevert: false },
  propose_advance: { name: 'Propose an early refund', isSafe: false, canRevert: false },
  task: { name: 'Create a task', isSafe: false, canRevert: true },
  assign: { name: 'Assign the client', isSafe: true, canRevert: true },
  assign_task: { name: 'Assign a task', isSafe: true, canRevert: true },
  tag: { name: 'Tag the client', isSafe: true, canRevert: true },
  note: { name: 'Add a note', isSafe: true, canRevert: true },
  refresh: { name: 'Refresh at HMRC', isSafe: false, canRevert: false },
  watch: { name: 'Nothing to do', isSafe: false, canRevert: false },
};
