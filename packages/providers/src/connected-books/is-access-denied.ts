import type { ProviderError } from '../http/provider-error.ts';

/** Xero's response to a valid token whose permission doesn't include the resource (XeroAPI/Xero-NetStandard issues 100 and 161). */
const XERO_WITHOUT_SCOPE = 'AuthorizationUnsuccessful';

/** Returns true if the provider denies access to this resource, although it may accept other calls with the same token. */
export function isAccessDenied({ facts }: ProviderError): boolean {
  return facts.status === 403 || (facts.status === 401 && facts.detail?.includes(XERO_WITHOUT_SCOPE) === true);
}
