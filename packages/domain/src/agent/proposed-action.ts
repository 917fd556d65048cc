/** The proposals the agent can make. Each runs as an ordinary portal write, with the rights of the user who approves it. */
import type { Duty } from '../clients/client.ts';
import type { PlainDate } from '../plain-date.ts';
import type { AgentTax } from '../uk-tax/tax.ts';
import type { WorkService } from '../work-items/work-item.ts';

/** `watch` proposes no action; the finding itself is the point. */
export const PROPOSED_ACTION_KINDS = [
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
export type ProposedActionKind = (typeof PROPOSED_ACTION_KINDS)[number];

/** `subject` and `body` may contain the fields {client}, {practice} and {sender}; figures are already filled in. */
export type ProposedAction =
  | { readonly kind: 'message'; readonly subject: string; readonly body: string }
  | { readonly kind: 'request_authorisation'; readonly tax: AgentTax }
  /** Proposes an early refund of this return to the client's users. `note` is for them, and may be empty. */
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

type ProposedActionRule = {
  /** The label in lists, for example “Send a message”. */
  readonly name: string;
  /** True if the action stays inside the practice and can be reverted, so act-on-safe may perform it automatically. */
  readonly isSafe: boolean;
  /** True if the portal can revert the action. */
  readonly canRevert: boolean;
};

/**
 * Sending, filing, paying, pricing and deleting always need a user. A refresh is internal, but HMRC requires the headers of the user behind
 * each call (docs/reference/hmrc.md section 6), so a user starts it. A task creates work for a colleague, so a user assigns it.
 */
export const PROPOSED_ACTION_RULES: Readonly<Record<ProposedActionKind, ProposedActionRule>> = {
  message: { name: 'Send a message', isSafe: false, canRevert: false },
  request_authorisation: { name: 'Request authorisation', isSafe: false, canRevert: false },
  propose_advance: { name: 'Propose an early refund', isSafe: false, canRevert: false },
  task: { name: 'Create a task', isSafe: false, canRevert: true },
  assign: { name: 'Assign the client', isSafe: true, canRevert: true },
  assign_task: { name: 'Assign a task', isSafe: true, canRevert: true },
  tag: { name: 'Tag the client', isSafe: true, canRevert: true },
  note: { name: 'Add a note', isSafe: true, canRevert: true },
  refresh: { name: 'Refresh from HMRC', isSafe: false, canRevert: false },
  watch: { name: 'No action', isSafe: false, canRevert: false },
};

/** The text of each action, which people may edit. All else says what the action changes, so an edit must leave it as it is. */
const TEXT_FIELDS: Readonly<Record<ProposedActionKind, readonly string[]>> = {
  message: ['subject', 'body'],
  request_authorisation: [],
  propose_advance: ['note'],
  task: ['title', 'notes'],
  assign: [],
  assign_task: [],
  tag: ['tag'],
  note: ['text'],
  refresh: [],
  watch: [],
};

/** Returns whether two actions differ in their text only. */
export function differOnlyInText(a: ProposedAction, b: ProposedAction): boolean {
  const [fieldsA, fieldsB]: readonly Readonly<Record<string, unknown>>[] = [a, b];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => TEXT_FIELDS[a.kind].includes(name) || fieldsA?.[name] === fieldsB?.[name]);
}
