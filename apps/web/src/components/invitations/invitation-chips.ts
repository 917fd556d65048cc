import type { InvitationState } from '@portal/domain/clients/invitation-state.ts';
import type { Role } from '../../core/tokens.ts';
import type { IconName } from '../../ui/icon.tsx';

type Chip = { readonly label: string; readonly icon: IconName; readonly tone: Role };

/** Labels for the state of an invitation. */
export const INVITATION_CHIPS: Readonly<Record<InvitationState, Chip>> = {
  draft: { label: 'Not sent yet', icon: 'clock', tone: 'info' },
  sent: { label: 'Sent', icon: 'mail', tone: 'info' },
  opened: { label: 'Opened', icon: 'info', tone: 'info' },
  accepted: { label: 'Accepted', icon: 'checkCircle', tone: 'success' },
  expired: { label: 'Expired', icon: 'warning', tone: 'warning' },
  revoked: { label: 'Revoked', icon: 'close', tone: 'info' },
  bounced: { label: 'Bounced', icon: 'errorCircle', tone: 'error' },
};
