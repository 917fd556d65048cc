/** From what went wrong at HMRC to the reason that a client's row names. */
import { AppError } from '@portal/domain/app-error.ts';
import type { SyncReason } from '@portal/domain/practice/sync-reasons.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';

/** Undefined for what is no failure of HMRC's: a bug of ours, which must be seen. `wasAuthorised`: whether HMRC ever answered for this client. */
export function explainFailure(error: unknown, wasAuthorised: boolean): SyncReason | undefined {
  // The grant is being renewed for longer than anybody waits: HMRC is slow, or the instance that renews it has died.
  if (error instanceof AppError && error.code === 'hmrc.refresh_busy') return 'hmrc_unavailable';
  if (!(error instanceof ProviderError)) return undefined;
  const { failure, facts } = error;
  if (failure === 'throttled') return 'rate_limited';
  if (facts.code === 'CLIENT_OR_AGENT_NOT_AUTHORISED') return wasAuthorised ? 'authorisation_revoked' : 'not_authorised';
  const named = facts.code === undefined ? undefined : BY_CODE[facts.code];
  if (named !== undefined) return named;
  // An answer that says success and cannot be read is HMRC's word in a shape unknown to us (send-to-hmrc.ts).
  if (facts.status === 200) return 'malformed_answer';
  if (failure !== 'refused') return 'hmrc_unavailable';
  // A refusal that names no code is no word of HMRC's that one could act on, and may be that of anything on the way.
  return facts.code === undefined ? 'malformed_answer' : 'refused';
}

const BY_CODE: Readonly<Record<string, SyncReason>> = {
  RULE_INSOLVENT_TRADER: 'insolvent',
  VRN_INVALID: 'not_found',
  FORMAT_NINO: 'not_found',
};
