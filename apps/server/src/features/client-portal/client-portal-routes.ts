import type { clientPortalApi } from '@portal/contract/client-portal.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getOwnPeople, leaveClient } from './client-people.ts';
import { getPortalOverview } from './portal-queries.ts';
import { recordConsent } from './open-steps.ts';
import { getPreference, savePreference } from './preferences.ts';

export function clientPortalHandlers(deps: AppDeps): Handlers<typeof clientPortalApi> {
  return {
    overview: ({ tenant, actor }) => getPortalOverview(deps, tenant, actor.userId),
    consent: (call) => recordConsent(deps, call),
    people: (call) => getOwnPeople(deps, call),
    leave: (call) => leaveClient(deps, call),
    preference: (call) => getPreference(deps, call),
    savePreference: (call) => savePreference(deps, call),
  };
}
