/**
 * Starts, retries and stops refreshes. The module of their endpoints brings in the client list's filters, so it loads when the user points
 * at or presses a button, not with the screen.
 */
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { ApiError, apiRequest } from './api.ts';

const loadEndpoints = () => import('@portal/contract/sync.ts');

export type RefreshAction = 'start' | 'retry' | 'cancel';

// If loading fails, the error appears when the action is sent.
const preload = (): void => void loadEndpoints().catch(() => undefined);
/** The handlers of a button that sends an action. */
export const PRELOADS_ACTION = { onPointerEnter: preload, onFocus: preload } as const;

export async function sendRefreshAction(action: RefreshAction, companyId: string, tax: AgentTax): Promise<void> {
  const { syncApi } = await loadEndpoints().catch(() => {
    throw new ApiError({
      status: 0,
      code: 'network.unreachable',
      message: 'We couldn’t connect. Check your internet connection and try again.',
    });
  });
  await apiRequest(syncApi[action], { company_id: companyId, tax_type: tax });
}
