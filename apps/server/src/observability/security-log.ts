/**
 * Security events (OWASP Logging Vocabulary): one log line with `security_event` and one count each. User ids, names of rules and reasons;
 * no email and no address. The caller's network appears as a keyed hash, which shows that two events have one source but not which.
 */
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { toNetwork } from '../features/identity/limit-attempts.ts';
import type { Metrics } from './metrics.ts';
import { getRequestScope } from './request-scope.ts';

export const SECURITY_EVENTS = [
  /** A password, passkey or link that doesn't sign in. */
  'sign_in_failed',
  /** A code, passkey or password that doesn't confirm a person. */
  'second_factor_rejected',
  /** Another tenant's id, a client outside the person's list, or a right that they lack. */
  'access_refused',
  /** A browser sent it for another website. */
  'cross_site_refused',
  'limit_exceeded',
  'webhook_signature_rejected',
  /** A payout in the database that the portal didn't order, or a fact that it didn't write and that a payout is decided by. */
  'payout_refused',
  /** This instance lacks the key of something sealed, so it left what is decided by it as it is. */
  'key_missing',
  /** What an operator may do was changed. */
  'operator_access_changed',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export type SecurityFacts = {
  /** One of few values, because it is a metric's label: an error code, an access rule, a name. */
  readonly reason: string;
  /** The person whom it is about; by default the one who is signed in. */
  readonly userId?: string | undefined;
};

export type RecordSecurityEvent = (event: SecurityEvent, facts: SecurityFacts) => void;

/** `key` derives the hash of networks. Instances that share it can be searched together. */
export function createSecurityLog(logger: Logger, metrics: Pick<Metrics, 'securityEvents'>, key: string): RecordSecurityEvent {
  return (event, { reason, userId }) => {
    const scope = getRequestScope();
    const about = userId ?? scope?.userId;
    metrics.securityEvents.inc({ event, reason });
    logger.warn(
      {
        security_event: event,
        reason,
        ...(about === undefined ? {} : { user_id: about }),
        ...(scope?.getIp === undefined ? {} : { network: hashNetwork(scope.getIp(), key) }),
      },
      `security: ${event}`,
    );
  };
}

function hashNetwork(ip: string, key: string): string {
  return createHmac('sha256', `security log ${key}`).update(toNetwork(ip)).digest('base64url').slice(0, 16);
}
