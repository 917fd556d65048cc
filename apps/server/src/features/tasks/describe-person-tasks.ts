/** A user's own tasks, which don't depend on their companies. */
import type { PendingTask } from '@portal/contract/tasks.ts';
import { IDENTITY_RULE } from '@portal/domain/advances/identity-rule.ts';
import type { OwnerIdentityStatus } from '@portal/domain/advances/advance-statuses.ts';

export type UserTaskInputs = {
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly phone: string | null;
  readonly isPhoneVerified: boolean;
  readonly hasMembership: boolean;
  readonly isOperator: boolean;
  /** Uses the pages of an accounting practice's client. */
  readonly isClient: boolean;
  /** Sees the progress of a partner's referrals. */
  readonly isPartnerContact: boolean;
  readonly ownsCompany: boolean;
  readonly identity: OwnerIdentityStatus;
};

const COMMON = {
  level: 'to_do',
  company: null,
  due_on: null,
  working_days_left: null,
  overdue: false,
  ends_at: null,
  obligation_id: null,
  refund: null,
} as const;

export function describeUserTasks(facts: UserTaskInputs): PendingTask[] {
  const tasks: PendingTask[] = [];
  const addTask = (
    task_id: string,
    texts: Pick<PendingTask, 'title' | 'why' | 'action' | 'path'>,
    subject: PendingTask['subject'] = 'person',
  ) => tasks.push({ ...COMMON, task_id, kind: task_id, subject, ...texts });
  if (!facts.isEmailVerified) {
    addTask('verify_email', {
      title: 'Confirm your email address',
      why: `We send receipts and warnings to ${facts.email}. You haven’t confirmed this address yet.`,
      action: 'Confirm email',
      path: '/v2/instant-vat/profile',
    });
  }
  // Practice members, practices' clients, partners' contacts and operators don't need a company of their own.
  if (!facts.hasMembership && !facts.isOperator && !facts.isClient && !facts.isPartnerContact) {
    addTask(
      'add_company',
      {
        title: 'Add your company',
        why: 'We need your company’s details to find its returns and offer you its refunds early.',
        action: 'Add company',
        path: '/v2/instant-vat/steps/company',
      },
      'company',
    );
  }
  if (!facts.ownsCompany) return tasks;
  // A phone number is optional, so only someone who gave one has something to do.
  if (facts.phone !== null && !facts.isPhoneVerified) {
    addTask('verify_phone', {
      title: 'Confirm your phone number',
      why: 'We only call if a refund needs your attention, so we check that the number is yours.',
      action: 'Confirm phone number',
      path: '/v2/instant-vat/steps/about',
    });
  }
  const identity = IDENTITY_TEXTS[facts.identity];
  if (identity) addTask('verify_identity', { ...identity, path: '/verify-identity' });
  return tasks;
}

/** A check that has passed or is under review doesn't need anything from the user. */
const IDENTITY_TEXTS: Readonly<Partial<Record<OwnerIdentityStatus, Pick<PendingTask, 'title' | 'why' | 'action'>>>> = {
  not_started: {
    title: 'Verify your identity',
    why: IDENTITY_RULE,
    action: 'Verify identity',
  },
  pending: { title: 'Finish your identity check', why: `You’ve started it but haven’t finished. ${IDENTITY_RULE}`, action: 'Continue' },
  failed: {
    title: 'Verify your identity again',
    why: `We couldn’t verify you last time. ${IDENTITY_RULE}`,
    action: 'Try another document',
  },
  expired: {
    title: 'Verify your identity again',
    why: `Your last check expired before you finished it. ${IDENTITY_RULE}`,
    action: 'Start again',
  },
};
