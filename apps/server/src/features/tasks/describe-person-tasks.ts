/** A user's own tasks, independent of their companies. */
import type { PendingTask } from '@portal/contract/tasks.ts';
import type { OwnerIdentityStatus } from '@portal/domain/advances/evaluate-eligibility.ts';

export type PersonFacts = {
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly phone: string | null;
  readonly isPhoneVerified: boolean;
  readonly hasMembership: boolean;
  readonly isOperator: boolean;
  readonly ownsCompany: boolean;
  readonly identity: OwnerIdentityStatus;
};

export function describePersonTasks(facts: PersonFacts): PendingTask[] {
  const tasks: PendingTask[] = [];
  const addTask = (
    task_id: string,
    texts: Pick<PendingTask, 'title' | 'why' | 'action' | 'path'>,
    subject: PendingTask['subject'] = 'person',
  ) => tasks.push({ task_id, subject, company: null, due_on: null, working_days_left: null, overdue: false, ends_at: null, ...texts });
  if (!facts.isEmailVerified) {
    addTask('verify_email', {
      title: 'Confirm your email address',
      why: `We send receipts and warnings to ${facts.email}. You haven’t confirmed this address yet.`,
      action: 'Confirm address',
      path: '/v2/instant-vat/profile',
    });
  }
  // Members and clients of a practice, and operators, do not need a company of their own.
  if (!facts.hasMembership && !facts.isOperator) {
    addTask(
      'add_company',
      {
        title: 'Add your company',
        why: 'We need a company before we can read returns or make offers.',
        action: 'Add the company',
        path: '/v2/instant-vat/steps/company',
      },
      'company',
    );
  }
  if (!facts.ownsCompany) return tasks;
  if (!facts.isPhoneVerified) {
    addTask('verify_phone', {
      title: facts.phone === null ? 'Add your phone number' : 'Confirm your phone number',
      why: 'We only call if we need you to do something about a refund, so we need to know that the number is yours.',
      action: facts.phone === null ? 'Add the number' : 'Confirm the number',
      path: '/v2/instant-vat/steps/about',
    });
  }
  const identity = IDENTITY_TEXTS[facts.identity];
  if (identity) addTask('verify_identity', { ...identity, path: '/verify-identity' });
  return tasks;
}

/** A check that has passed or is under review needs nothing from the user. */
const IDENTITY_TEXTS: Readonly<Partial<Record<OwnerIdentityStatus, Pick<PendingTask, 'title' | 'why' | 'action'>>>> = {
  not_started: {
    title: 'Verify your identity',
    why: 'Until you do, we have to review every refund manually before we pay it.',
    action: 'Verify your identity',
  },
  pending: { title: 'Finish the identity check', why: 'You started it but haven’t finished it.', action: 'Continue the check' },
  failed: {
    title: 'Verify your identity again',
    why: 'We couldn’t verify you last time. We can’t pay a refund early until we have.',
    action: 'Try another document',
  },
  expired: { title: 'Verify your identity again', why: 'Your last check expired before you finished it.', action: 'Start again' },
};
