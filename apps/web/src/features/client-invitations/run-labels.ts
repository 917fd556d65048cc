import type { InvitationRun } from '@portal/contract/invitation-runs.ts';
import { INVITED_STATUSES, type InvitedStatus } from '@portal/domain/invitation-runs/invitation-run.ts';
import type { Role } from '../../core/tokens.ts';
import type { IconName } from '../../ui/icon.tsx';

export const POLL_MS = 2_000;

export const INVITED_CHIPS: Readonly<Record<InvitedStatus, { readonly label: string; readonly icon: IconName; readonly tone: Role }>> = {
  queued: { label: 'Waiting', icon: 'clock', tone: 'info' },
  sending: { label: 'Sending', icon: 'mail', tone: 'info' },
  sent: { label: 'Sent', icon: 'checkCircle', tone: 'success' },
  failed: { label: 'Not sent', icon: 'errorCircle', tone: 'error' },
  unknown: { label: 'May have been sent', icon: 'warning', tone: 'warning' },
  skipped: { label: 'Excluded', icon: 'info', tone: 'info' },
};

const STATE_LABELS = { running: 'Sending', paused: 'Paused', ended: 'Finished' } as const;
const WAIT_LABELS = {
  daily_limit: 'waiting until tomorrow, because today’s limit has been reached',
  mail_server: 'waiting for our mail server',
} as const;

/** Returns, for example, “Sending: 120 sent, 4 waiting”. */
export function describeRun({ state, waits, counts }: InvitationRun): string {
  const parts = INVITED_STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status].toLocaleString('en-GB')} ${INVITED_CHIPS[status].label.toLowerCase()}`,
  );
  return `${STATE_LABELS[state]}${waits === null ? '' : `, ${WAIT_LABELS[waits]}`}: ${parts.join(', ')}`;
}
