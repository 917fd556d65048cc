import type { RequestState } from '@portal/domain/client-requests/client-request.ts';
import type { Role } from '../../core/tokens.ts';
import type { IconName } from '../../ui/icon.tsx';

export type RequestChip = { readonly label: string; readonly icon: IconName; readonly tone: Role };

export const REQUEST_CHIPS: Readonly<Record<RequestState, RequestChip>> = {
  open: { label: 'Waiting for client', icon: 'clock', tone: 'info' },
  answered: { label: 'To check', icon: 'warning', tone: 'warning' },
  completed: { label: 'Completed', icon: 'checkCircle', tone: 'success' },
  cancelled: { label: 'Cancelled', icon: 'close', tone: 'info' },
};
