/** Translates an HMRC failure into the reason stored with the client. */
import { AppError } from '@portal/domain/app-error.ts';
import type { SyncReason } from '@portal/domain/sync/sync-reasons.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';

/**
 * Returns undefined if HMRC isn't the cause, because the error is then our own bug and must not be hidden. `wasAuthorised`: HMRC has
 * accepted a call for this client before.
 */
export function explainFailure(error: unknown, wasAuthorised: boolean): SyncReason | undefined {
  // The access token is still being refreshed after the maximum wait: either HMRC is slow, or the instance refreshing it has died.
  if (error instanceof AppError && error.code === 'hmrc.refresh_busy') return 'hmrc_unavailable';
  if (!(error instanceof ProviderError)) return undefined;
  const { failure, facts } = error;
  if (failure === 'throttled') return 'rate_limited';
  if (facts.code === 'CLIENT_OR_AGENT_NOT_AUTHORISED') return wasAuthorised ? 'authorisation_revoked' : 'not_authorised';
  const knownReason = facts.code === undefined ? undefined : REASON_BY_CODE[facts.code];
  if (knownReason !== undefined) return knownReason;
  // A success status with a body that we cannot parse (send-to-hmrc.ts).
  if (facts.status === 200) return 'malformed_answer';
  if (failure !== 'refused') return 'hmrc_unavailable';
  // A rejection without an HMRC code may come from a proxy, and the user cannot act on it.
  return facts.code === undefined ? 'malformed_answer' : 'refused';
}

const REASON_BY_CODE: Readonly<Record<string, SyncReason>> = {
  RULE_INSOLVENT_TRADER: 'insolvent',
  VRN_INVALID: 'not_found',
  FORMAT_NINO: 'not_found',
};
