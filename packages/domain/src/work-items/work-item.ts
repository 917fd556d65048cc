/** A practice's own tasks: something that a person of the team has to do, for a client or alone. On screen: “task”. */
import type { Duty } from '../clients/client.ts';

export const WORK_STATUSES = ['todo', 'in_progress', 'waiting', 'done'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

/** The status names on screens. */
export const WORK_STATUS_NAMES: Readonly<Record<WorkStatus, string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  waiting: 'Waiting for client',
  done: 'Done',
};

/** What the practice does for its clients, by which tasks are filtered. */
export const WORK_SERVICES = ['vat', 'payroll', 'accounts', 'self_assessment', 'company_secretarial', 'onboarding', 'other'] as const;
export type WorkService = (typeof WORK_SERVICES)[number];

/** The service names on screens. */
export const WORK_SERVICE_NAMES: Readonly<Record<WorkService, string>> = {
  vat: 'VAT',
  payroll: 'Payroll',
  accounts: 'Accounts and corporation tax',
  self_assessment: 'Self Assessment',
  company_secretarial: 'Company secretarial',
  onboarding: 'Onboarding',
  other: 'Other',
};

/** The duty whose holder gets a service's tasks, if a template names none. Without a holder it is the client's manager. */
export const SERVICE_DUTIES: Readonly<Record<WorkService, Duty>> = {
  vat: 'vat',
  payroll: 'payroll',
  accounts: 'manager',
  self_assessment: 'manager',
  company_secretarial: 'manager',
  onboarding: 'manager',
  other: 'manager',
};

/** One line of a task's checklist. */
export type ChecklistLine = { readonly id: string; readonly text: string; readonly is_done: boolean };

export const MAX_WORK_TITLE = 160;
export const MAX_WORK_NOTES = 5000;
export const MAX_CHECKLIST_LINES = 40;
export const MAX_CHECKLIST_TEXT = 200;
export const MAX_WORK_COMMENT = 4000;
/** Tasks that a column of the board shows. */
export const MAX_BOARD_COLUMN = 25;
/** Comments of one task. */
export const MAX_WORK_COMMENTS = 500;
/** Tasks changed by one request. */
export const MAX_BULK_WORK_ITEMS = 500;

/** Emails that one person's mentions send within an hour. Comments above it are saved without an email. */
export const MAX_MENTION_EMAILS_PER_HOUR = 60;
/** Colleagues whom one comment notifies. */
export const MAX_MENTIONS = 20;

type Colleague = { readonly userId: string; readonly fullName: string };

/**
 * The colleagues that a comment mentions, as “@Priya Shah”. Of names that begin alike, the longest counts; capitals don't matter. Two colleagues
 * of the same name are both mentioned.
 */
export function findMentions(text: string, colleagues: readonly Colleague[]): readonly string[] {
  const lower = text.toLowerCase();
  const byLength = colleagues
    .map(({ userId, fullName }) => ({ userId, name: fullName.trim().toLowerCase() }))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.name.length - a.name.length);
  const found = new Set<string>();
  for (let at = lower.indexOf('@'); at !== -1; at = lower.indexOf('@', at + 1)) {
    const rest = lower.slice(at + 1);
    const longest = byLength.find(({ name }) => rest.startsWith(name) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length)));
    for (const { userId, name } of byLength) if (name === longest?.name) found.add(userId);
  }
  return [...found].slice(0, MAX_MENTIONS);
}
