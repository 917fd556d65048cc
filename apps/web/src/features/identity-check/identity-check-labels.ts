/** Describes the status of an identity check: what happened, what it means, and what to do next. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import type { PanelState } from '../../ui/state-icon.tsx';

export type IdentityCheck = EndpointOutput<typeof identityCheckApi.find>;

export type IdentityCheckDescription = {
  readonly state: PanelState;
  readonly heading: string;
  readonly text: string;
  /** The label of the button that starts a check. Undefined if the user can't start one. */
  readonly startLabel: string | undefined;
  /** Whether to show the provider's reasons, which say what to do differently next time. */
  readonly showsReasons: boolean;
};

/** Sentences for the provider's reason codes. */
const REASONS: Readonly<Record<string, string>> = {
  document_unreadable: 'We couldn’t read the photo of your document. Use daylight and no flash, and keep all four corners in the picture.',
  person_mismatch: 'Your picture didn’t match the photo in your document. Take off any glasses or hat, and look straight at the camera.',
  document_doubtful: 'We couldn’t accept the document. Use a different one: a passport, driving licence or biometric residence permit.',
  other: 'The check couldn’t be completed for another reason.',
};

/** Returns a reason as a sentence. Unknown codes get a general sentence; a reason that is already a sentence is returned unchanged. */
export function describeReason(reason: string): string {
  return REASONS[reason] ?? (/^[a-z_]+$/.test(reason) ? (REASONS['other'] ?? '') : reason);
}

function formatAttempts(remaining: number): string {
  return remaining === 1 ? 'You have 1 attempt left.' : `You have ${remaining} attempts left.`;
}

/** Returns the wording for a check's status. */
export function describeIdentityCheck(check: IdentityCheck): IdentityCheckDescription {
  const statusLabels = describeStatus(check);
  return { ...statusLabels, showsReasons: statusLabels.startLabel !== undefined };
}

function describeStatus(check: IdentityCheck): Omit<IdentityCheckDescription, 'showsReasons'> {
  const attemptsLeft = check.may_begin ? check.attempts_left : 0;
  switch (check.status) {
    case 'not_started':
      return {
        state: 'pending',
        heading: 'You haven’t started the check yet',
        text: 'We need to know who you are before we pay your refund. It takes about 3 minutes.',
        startLabel: check.may_begin ? 'Start identity check' : undefined,
      };
    case 'pending':
      return {
        state: 'pending',
        heading: 'The check isn’t finished',
        text: 'We don’t have a result yet. If you’ve finished the check, wait here: this page updates automatically. If not, continue where you left off.',
        startLabel: check.may_begin ? 'Continue the check' : undefined,
      };
    case 'passed':
      return {
        state: 'success',
        heading: 'Your identity is verified',
        text: 'You only do this once. We keep the result, not the photos.',
        startLabel: undefined,
      };
    case 'failed':
      return {
        state: 'error',
        heading: 'We couldn’t verify your identity',
        text:
          attemptsLeft > 0
            ? `We need this before we pay your refund. ${formatAttempts(attemptsLeft)}`
            : 'You have no attempts left. We’ll review your check and email you. Your VAT returns and offers aren’t affected.',
        startLabel: attemptsLeft > 0 ? 'Try again' : undefined,
      };
    case 'expired':
      return {
        state: 'warning',
        heading: 'The check timed out',
        text: 'It wasn’t finished within 7 days. You can start a new one.',
        startLabel: check.may_begin ? 'Start again' : undefined,
      };
    case 'needs_review':
      return {
        state: 'pending',
        heading: 'We’re reviewing your check',
        text: 'This usually takes one working day. We’ll email you the result. You don’t need to do anything.',
        startLabel: undefined,
      };
  }
}

/** Returns whether the result may still arrive while the user waits. */
export const isUndecided = (status: IdentityCheck['status']): boolean => status === 'pending' || status === 'needs_review';
