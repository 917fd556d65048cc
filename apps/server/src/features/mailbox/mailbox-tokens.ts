/**
 * The access token of a practice's mailbox. Only the job that sends a practice's emails uses it, so concurrent renewals are rare, and at
 * Google and Microsoft the old refresh token stays valid (docs/decisions/0053-messages-and-mailboxes.md).
 */
import { mailboxes } from '@portal/db/schema/schema.ts';
import type { MailboxEndReason } from '@portal/domain/messages/mailbox-end-reasons.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { SignInTokens } from '@portal/providers/oidc/sign-in-port.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordMailboxLoss } from './record-mailbox-loss.ts';

export type Mailbox = typeof mailboxes.$inferSelect;

/** Renew this long before expiry, so that the token doesn't expire during a call. */
const REFRESH_EARLY_MS = 60_000;

export function sealMailboxTokens(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  companyId: string,
  { accessToken, refreshToken, expiresAt }: SignInTokens & { readonly refreshToken: string },
) {
  return {
    accessToken: tokenCipher.seal(accessToken, `mailbox_access_token:${companyId}`),
    refreshToken: tokenCipher.seal(refreshToken, `mailbox_refresh_token:${companyId}`),
    accessExpiresAt: expiresAt,
  };
}

/** Matches exactly this connection of the mailbox. Reconnecting creates a new one. */
export function isSameMailbox({ companyId, connectedAt }: Pick<Mailbox, 'companyId' | 'connectedAt'>) {
  return and(eq(mailboxes.companyId, companyId), eq(mailboxes.connectedAt, connectedAt), eq(mailboxes.status, 'connected'));
}

/**
 * Returns the current token, renewed if it expires soon or if the provider has just rejected it (`isRejected`). Undefined if access to the
 * mailbox has been lost, now or earlier. Throws if the provider can't be reached.
 */
export async function findMailboxToken(deps: AppDeps, mailbox: Mailbox, isRejected = false): Promise<string | undefined> {
  const { companyId, provider, accessToken, refreshToken, accessExpiresAt } = mailbox;
  if (mailbox.status !== 'connected' || accessToken === null || refreshToken === null) return undefined;
  const isFresh = accessExpiresAt !== null && accessExpiresAt > addMilliseconds(deps.clock.now(), REFRESH_EARLY_MS);
  if (isFresh && !isRejected) return deps.tokenCipher.open(accessToken, `mailbox_access_token:${companyId}`);
  const client = deps.mailboxes[provider];
  if (!client) throw new ProviderError('unavailable', { provider, operation: `${provider}.token`, detail: 'not set up' });
  const oldToken = deps.tokenCipher.open(refreshToken, `mailbox_refresh_token:${companyId}`);
  try {
    const renewedTokens = await client.signIn.refresh(oldToken);
    const tokens = sealMailboxTokens(deps, companyId, { ...renewedTokens, refreshToken: renewedTokens.refreshToken ?? oldToken });
    await deps.database.db.update(mailboxes).set(tokens).where(isSameMailbox(mailbox));
    return renewedTokens.accessToken;
  } catch (error) {
    if (!(error instanceof ProviderError && error.failure === 'unauthorized')) throw error;
    await markMailboxLost(deps, mailbox, 'refused', error);
    return undefined;
  }
}

/** Ends the connection, because the provider rejects our access token. Messages then wait. */
export async function markMailboxLost(deps: AppDeps, mailbox: Mailbox, reason: MailboxEndReason, cause: ProviderError): Promise<void> {
  const wasLost = await deps.database.db.transaction((tx) => recordMailboxLoss(deps, tx, mailbox, reason));
  if (wasLost)
    deps.logger.warn({ err: cause, companyId: mailbox.companyId }, 'we no longer have access to a mailbox; its messages are on hold');
}
