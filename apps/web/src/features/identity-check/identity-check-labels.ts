/** Describes the status of an identity check: what happened, what it means, what to do next. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import type { PanelState } from '../../ui/state-icon.tsx';

export type IdentityCheck = EndpointOutput<typeof identityCheckApi.find>;

export type IdentityCheckDescription = {
  readonly state: PanelState;
  readonly heading: string;
  readonly text: string;
  /** The label of the button that starts a check. Undefined if none can be started. */
  readonly begin: string | undefined;
};

/** Sentences for the provider's reason codes. */
const REASONS: Readonly<Record<string, string>> = {
  document_unreadable: 'The photo of your document could not be read. Use daylight, no flash, and keep all four corners in the picture.',
  person_mismatch:
    'The picture of you and the photo in the document did not match. Take off glasses and hats, and look straight at the camera.',
  document_doubtful: 'The document could not be accepted. Use another one: a passport, a driving licence or a biometric residence permit.',
  other: 'The check could not be finished for another reason.',
};

/** A reason as a sentence. Unknown codes get a general sentence; a reason that is already a sentence stays as it is. */
export function describeReason(reason: string): string {
  return REASONS[reason] ?? (/^[a-z_]+$/.test(reason) ? (REASONS['other'] ?? '') : reason);
}

function triesText(left: number): string {
  return left === 1 ? 'You have 1 try left.' : `You have ${left} tries left.`;
}

/** The texts for a check's status. */
export function describeIdentityCheck(check: IdentityCheck): IdentityCheckDescription {
  const triesLeft = check.may_begin ? check.attempts_left : 0;
  switch (check.status) {
    case 'not_started':
      return {
        state: 'pending',
        heading: 'You have not begun yet',
        text: 'We must know who you are before we pay out a refund. It takes about 3 minutes.',
        begin: check.may_begin ? 'Begin the check' : undefined,
      };
    case 'pending':
      return {
        state: 'pending',
        heading: 'The check is not finished',
        text: 'We have no result yet. If you have finished it, wait here: this page looks again by itself. If not, go on where you left off.',
        begin: check.may_begin ? 'Go on with the check' : undefined,
      };
    case 'passed':
      return {
        state: 'success',
        heading: 'Your identity is confirmed',
        text: 'You need not do anything else. We keep the result, not the pictures.',
        begin: undefined,
      };
    case 'failed':
      return {
        state: 'error',
        heading: 'We could not confirm your identity',
        text:
          triesLeft > 0
            ? `We need this before we pay out a refund. ${triesText(triesLeft)}`
            : 'You have no tries left. A person of ours looks at it and writes to you. Your VAT returns and quotes are not affected.',
        begin: triesLeft > 0 ? 'Try again' : undefined,
      };
    case 'expired':
      return {
        state: 'warning',
        heading: 'The check has run out of time',
        text: 'It was not finished within 7 days. Nothing is lost: begin a new one.',
        begin: check.may_begin ? 'Begin again' : undefined,
      };
    case 'needs_review':
      return {
        state: 'pending',
        heading: 'A person is looking at it',
        text: 'This usually takes one working day. We email you the result. You need not do anything now.',
        begin: undefined,
      };
  }
}

/** Whether the result may still arrive while the person waits. */
export const isUndecided = (status: IdentityCheck['status']): boolean => status === 'pending' || status === 'needs_review';
