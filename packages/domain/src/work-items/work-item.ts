/** A practice's own tasks: work for one of its members, with or without a client. On screen: “task”. */
import type { Duty } from '../clients/client.ts';

export const WORK_STATUSES = ['todo', 'in_progress', 'waiting', 'done'] as const;
export type WorkStatus = (typeof WORK_STATUSES)[number];

/** Status names on screens. */
export const WORK_STATUS_NAMES: Readonly<Record<WorkStatus, string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  waiting: 'Waiting for client',
  done: 'Done',
};

/** The services that a practice provides to its clients. Tasks are filtered by service. */
export const WORK_SERVICES = ['vat', 'payroll', 'accounts', 'self_assessment', 'company_secretarial', 'onboarding', 'other'] as const;
export type WorkService = (typeof WORK_SERVICES)[number];

/** Service names on screens. */
export const WORK_SERVICE_NAMES: Readonly<Record<WorkService, string>> = {
  vat: 'VAT',
  payroll: 'Payroll',
  accounts: 'Accounts and corporation tax',
  self_assessment: 'Self Assessment',
  company_secretarial: 'Company secretarial',
  onboarding: 'Onboarding',
  other: 'Other',
};

/** The duty whose holder gets a service's tasks if the template doesn't name a member; by default the client's manager. */
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

export const MAX_WORK_TITLE_LENGTH = 160;
export const MAX_WORK_NOTES_LENGTH = 5000;
export const MAX_CHECKLIST_LINES = 40;
export const MAX_CHECKLIST_TEXT_LENGTH = 200;
export const MAX_WORK_COMMENT_LENGTH = 4000;
/** Maximum number of tasks shown in a board column. */
export const MAX_BOARD_COLUMN_ITEMS = 25;
/** Maximum number of comments on one task. */
export const MAX_WORK_COMMENTS = 500;
/** Maximum number of tasks changed by one request. */
export const MAX_BULK_WORK_ITEMS = 500;

/** Maximum number of emails an hour caused by one user's mentions. Further comments are saved, but not emailed. */
export const MAX_MENTION_EMAILS_PER_HOUR = 60;
/** Maximum number of colleagues notified by one comment. */
export const MAX_MENTIONS = 20;

type Colleague = { readonly userId: string; readonly fullName: string };

/**
 * Returns the colleagues that a comment mentions, as in “@Priya Shah”. The longest matching name counts, ignoring case. If two colleagues
 * share a name, both are mentioned.
 */
export function findMentions(text: string, colleagues: readonly Colleague[]): readonly string[] {
  const lowerCaseText = text.toLowerCase();
  const colleaguesByLength = colleagues
    .map(({ userId, fullName }) => ({ userId, name: fullName.trim().toLowerCase() }))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.name.length - a.name.length);
  const mentionedNames = new Set<string>();
  for (let at = lowerCaseText.indexOf('@'); at !== -1; at = lowerCaseText.indexOf('@', at + 1)) {
    const textAfter = lowerCaseText.slice(at + 1);
    const mentionedColleague = colleaguesByLength.find(
      ({ name }) => textAfter.startsWith(name) && !/^[\p{L}\p{N}]/u.test(textAfter.slice(name.length)),
    );
    for (const { userId, name } of colleaguesByLength) if (name === mentionedColleague?.name) mentionedNames.add(userId);
  }
  return [...mentionedNames].slice(0, MAX_MENTIONS);
}
