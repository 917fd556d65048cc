/**
 * Security events (OWASP Logging Vocabulary), each logged as one line with `security_event` and counted. They contain user IDs, names of
 * rules and reasons, but no email or IP addresses. The caller's network appears as a keyed hash, which shows whether two events have the
 * same source, but not which one.
 */
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import { toNetwork } from '../features/identity/limit-attempts.ts';
import type { Metrics } from './metrics.ts';
import { getRequestScope } from './request-scope.ts';

export const SECURITY_EVENTS = [
  /** A password, passkey or link that doesn't sign in. */
  'sign_in_failed',
  /** A code, passkey or password that fails to reauthenticate a user. */
  'second_factor_rejected',
  /** Another tenant's id, a client that the user can't see, or a right that they lack. */
  'access_refused',
  /** A browser sent the request on behalf of another website. */
  'cross_site_refused',
  'limit_exceeded',
  'webhook_signature_rejected',
  /** A payout in the database that the portal didn't order, or a fact behind a payout that the portal didn't write. */
  'payout_refused',
  /** This instance lacks the key to a sealed value, so it made no decision based on that value. */
  'key_missing',
  /** An operator's rights were changed. */
  'operator_access_changed',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export type SecurityFacts = {
  /** One of a few values, because it is a metric label: an error code, an access rule, a name. */
  readonly reason: string;
  /** The user concerned; by default, the signed-in user. */
  readonly userId?: string | undefined;
};

export type RecordSecurityEvent = (event: SecurityEvent, facts: SecurityFacts) => void;

/** `key` derives the hash of networks. Logs of instances that share it can be searched together. */
export function createSecurityLog(logger: Logger, metrics: Pick<Metrics, 'securityEvents'>, key: string): RecordSecurityEvent {
  return (event, { reason, userId }) => {
    const scope = getRequestScope();
    const eventUserId = userId ?? scope?.userId;
    metrics.securityEvents.inc({ event, reason });
    logger.warn(
      {
        security_event: event,
        reason,
        ...(eventUserId === undefined ? {} : { user_id: eventUserId }),
        ...(scope?.getIp === undefined ? {} : { network: hashNetwork(scope.getIp(), key) }),
      },
      `security: ${event}`,
    );
  };
}

function hashNetwork(ip: string, key: string): string {
  return createHmac('sha256', `security log ${key}`).update(toNetwork(ip)).digest('base64url').slice(0, 16);
}
