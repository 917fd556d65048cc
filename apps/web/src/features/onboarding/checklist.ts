/** The checklist of remaining tasks: what an offer needs, what only the payout needs, and what keeps the account secure. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import type { securityApi } from '@portal/contract/security.ts';
import { STEPS, type Progress, type Step } from '@portal/contract/onboarding.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { getStepLink } from './use-progress.ts';

/** `optional`: not done, and not needed. */
type ItemStatus = 'done' | 'todo' | 'optional' | 'waiting' | 'problem';

export type ChecklistItem = {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly status: ItemStatus;
  readonly to: string;
};

export type ChecklistGroup = { readonly key: 'offer' | 'payout' | 'safety'; readonly items: readonly ChecklistItem[] };

type Security = Pick<EndpointOutput<typeof securityApi.get>, 'email_verified' | 'phone_verified' | 'authenticator' | 'passkeys'>;
type IdentityCheck = Pick<EndpointOutput<typeof identityCheckApi.find>, 'status'>;

const STEP_TEXTS: Readonly<Record<OfferStep, { title: string; text: string }>> = {
  about: { title: 'About you', text: 'Your name and how to contact you.' },
  company: { title: 'Your company', text: 'Its name, company number and VAT number.' },
  'government-gateway': { title: 'Connect HMRC', text: 'Lets us see your VAT periods and file for you.' },
  bookkeeping: { title: 'Your books', text: 'The sales and purchases for your VAT return.' },
  'bank-account': { title: 'Bank account', text: 'Where we’ll pay your refund.' },
};

/** The steps that an offer needs. Identity, the last step, is a separate checklist item. */
const OFFER_STEPS = STEPS.filter((step) => step !== 'identity');
type OfferStep = Exclude<Step, 'identity'>;

/** An offer states the account it would be paid into, so it needs all five steps (the rule "bank_account_known"). */
function createStepItem(progress: Progress, step: OfferStep): ChecklistItem {
  const status = progress.steps.find((known) => known.step === step)?.status;
  return {
    key: step,
    ...STEP_TEXTS[step],
    status: status === 'done' ? 'done' : 'todo',
    to: getStepLink(step, progress.company_id),
  };
}

/**
 * Returns whether the step is needed. Users who file with other software can skip the books: the server reports "later" for that step only.
 */
function isNeeded(progress: Progress, step: OfferStep): boolean {
  return step !== 'bookkeeping' || progress.steps.find((known) => known.step === step)?.status !== 'later';
}

const IDENTITY_ITEMS: Readonly<Record<IdentityCheck['status'], { status: ItemStatus; text: string }>> = {
  not_started: { status: 'todo', text: 'You’ll need a photo ID and a camera. Takes about 3 minutes.' },
  pending: { status: 'waiting', text: 'Started but not finished.' },
  needs_review: { status: 'waiting', text: 'We’re reviewing it.' },
  passed: { status: 'done', text: 'Verified.' },
  failed: { status: 'problem', text: 'We couldn’t verify it. See why and what to do.' },
  expired: { status: 'problem', text: 'It timed out. Start a new one.' },
};

/** Creates the checklist, in the recommended order. */
export function createChecklist(progress: Progress, security: Security, identity: IdentityCheck): readonly ChecklistGroup[] {
  return [
    { key: 'offer', items: OFFER_STEPS.filter((step) => isNeeded(progress, step)).map((step) => createStepItem(progress, step)) },
    {
      key: 'payout',
      items: [
        {
          key: 'identity',
          title: 'Verify your identity',
          ...IDENTITY_ITEMS[identity.status],
          to: getPageLink(identity.status === 'not_started' ? 'verifyIdentity' : 'verifyIdentityNextSteps'),
        },
      ],
    },
    createSafetyGroup(security, progress.company_id),
  ];
}

/** Creates the tasks that keep any account secure. */
export function createSafetyGroup(security: Security, companyId: string | null): ChecklistGroup {
  const hasSecondFactor = security.authenticator !== null || security.passkeys.length > 0;
  return {
    key: 'safety',
    items: [
      {
        key: 'email',
        title: 'Confirm your email',
        text: 'We’ll email you a link.',
        status: security.email_verified ? 'done' : 'todo',
        to: getPageLink('verification'),
      },
      {
        key: 'phone',
        title: 'Confirm your mobile number',
        text: 'We’ll text you a code.',
        status: security.phone_verified ? 'done' : 'optional',
        to: getPageLink('verification'),
      },
      {
        key: 'second-factor',
        title: 'Add a passkey or an authenticator app',
        text: 'Adds a second check when you log in.',
        status: hasSecondFactor ? 'done' : 'optional',
        to: getPageLink('profile', { tab: 'security', ...(companyId === null ? {} : { company_id: companyId }) }),
      },
    ],
  };
}

/**
 * Finds the next task: first what an offer needs, then what the payout needs, then the email address, then what is optional. Returns
 * undefined if nothing is left.
 */
export function findNextItem(groups: readonly ChecklistGroup[]): ChecklistItem | undefined {
  const items = groups.flatMap((group) => group.items);
  return items.find(({ status }) => status === 'todo' || status === 'problem') ?? items.find(({ status }) => status === 'optional');
}
