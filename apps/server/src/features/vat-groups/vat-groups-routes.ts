import type { vatGroupsApi } from '@portal/contract/vat-groups.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { setVatGroup } from './set-vat-group.ts';

export function vatGroupsHandlers(deps: AppDeps): Handlers<typeof vatGroupsApi> {
  return { set: (call) => setVatGroup(deps, call) };
}
