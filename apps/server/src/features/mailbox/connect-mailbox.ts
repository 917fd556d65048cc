/** Connects a practice's own mailbox: authorisation at Google or Microsoft with the additional scope for sending. */
import { createHash } from 'node:crypto';
import type { MailboxOutcome } from '@portal/contract/mailbox.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import { emailScalar } from '@portal/contract/scalars.ts';
import { mailboxes, mailboxStates } from '@portal/db/schema/schema.ts';
import { and, eq, gt } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { MailboxProvider } from '@portal/domain/messages/sending-limits.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignedInIdentity } from '@portal/providers/oidc/sign-in-port.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { mayManageConnections } from '../books-connection/may-manage-connections.ts';
import { enqueueSending } from '../messages/enqueue-sending.ts';
import { MAILBOX_NAMES } from './mailbox-names.ts';
import { sealMailboxTokens } from './mailbox-tokens.ts';

/** Users may take their time on the provider's pages. */
const STATE_TTL_MS = 60 * 60_000;

type MailboxStart = { readonly companyId: string; readonly userId: string; readonly provider: MailboxProvider; readonly browser: string };

/** Returns the provider's URL that the browser should open. */
export async function startMailbox(
  deps: AppDeps,
  { companyId, userId, provider, browser }: MailboxStart,
): Promise<{ authorize_url: string }> {
  const client = deps.mailboxes[provider];
  if (!client) {
    const message = `${MAILBOX_NAMES[provider]} isn’t set up on this portal. Ask its operator to set ${provider === 'gmail' ? 'GOOGLE' : 'MICROSOFT'}_CLIENT_ID.`;
    throw new AppError('conflict', 'mailbox.not_set_up', message);
  }
  const [state, nonce, codeVerifier] = [generateToken(), generateToken(), generateToken()];
  await deps.database.db.insert(mailboxStates).values({
    companyId,
    stateHash: hashToken(state),
    userId,
    provider,
    browserHash: browser,
    nonce,
    codeVerifier,
    expiresAt: addMilliseconds(deps.wallClock.now(), STATE_TTL_MS),
  });
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const { url } = await client.signIn.authorizeUrl({ state, nonce, codeChallenge, extraScopes: [client.scope] });
  return { authorize_url: url };
}

export type MailboxCallback = {
  readonly provider: MailboxProvider;
  readonly userId: string;
  readonly browser: string | undefined;
  readonly params: URLSearchParams;
  readonly ip: string;
};

type State = typeof mailboxStates.$inferSelect;

/** Returns the page below /portal to redirect to. Undefined unless the state is valid now for this user in this browser. */
export async function completeMailbox(deps: AppDeps, callback: MailboxCallback): Promise<string | undefined> {
  const { provider, userId, browser, params } = callback;
  const [state] = await deps.database.db
    .delete(mailboxStates)
    .where(
      and(
        eq(mailboxStates.stateHash, hashToken(params.get('state') ?? '')),
        eq(mailboxStates.provider, provider),
        eq(mailboxStates.userId, userId),
        eq(mailboxStates.browserHash, browser ?? ''),
        gt(mailboxStates.expiresAt, deps.wallClock.now()),
      ),
    )
    .returning();
  if (!state) return undefined;
  const outcome = await getOutcome(deps, state, callback);
  return `${getSettingsPath('connections')}?${new URLSearchParams({ company_id: state.companyId, outcome })}`;
}

async function getOutcome(deps: AppDeps, state: State, { params, ip }: MailboxCallback): Promise<MailboxOutcome> {
  const client = deps.mailboxes[state.provider];
  if (!client) return 'mailbox_failed';
  try {
    const { nonce, codeVerifier } = state;
    const extraScopes = [client.scope];
    const identity = await client.signIn.completeSignIn({ params, state: params.get('state') ?? '', nonce, codeVerifier, extraScopes });
    return await saveMailbox(deps, state, identity, client.scope, ip);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.facts.code === 'access_denied') return 'mailbox_declined';
    deps.logger.warn({ err: error }, 'could not connect a mailbox');
    return 'mailbox_failed';
  }
}

async function saveMailbox(deps: AppDeps, state: State, identity: SignedInIdentity, scope: string, ip: string): Promise<MailboxOutcome> {
  const { companyId, userId, provider } = state;
  const { tokens } = identity;
  // Users can clear the scope on Google's page, and an administrator can withhold it at Microsoft.
  if (!tokens || tokens.missingScopes.includes(scope)) return 'mailbox_no_scope';
  const address = emailScalar.safeParse(identity.email).data;
  const { refreshToken } = tokens;
  if (address === undefined || refreshToken === undefined) return 'mailbox_failed';
  const at = deps.clock.now();
  const mailbox = {
    provider,
    status: 'connected' as const,
    address,
    ...sealMailboxTokens(deps, companyId, { ...tokens, refreshToken }),
    connectedBy: userId,
    connectedAt: at,
    lostAt: null,
    lostReason: null,
  };
  return deps.database.db.transaction(async (tx) => {
    // The user may have left since they started, or lost the permission. Clients' emails must not leave through their mailbox.
    if (!(await mayManageConnections(tx, { practiceId: companyId, userId }))) return 'mailbox_not_allowed';
    await tx
      .insert(mailboxes)
      .values({ companyId, ...mailbox })
      .onConflictDoUpdate({ target: mailboxes.companyId, set: mailbox });
    await recordAudit(tx, {
      companyId,
      at,
      actor: userId,
      action: 'mailbox.connected',
      subject: companyId,
      after: { provider, address },
      ip,
    });
    await enqueueSending(deps, tx, companyId);
    return 'mailbox_connected';
  });
}

/** Deletes our access. What waited for the mailbox is sent from our address. */
export async function disconnectMailbox(deps: AppDeps, companyId: string, userId: string, ip: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const [removedMailbox] = await tx.delete(mailboxes).where(eq(mailboxes.companyId, companyId)).returning();
    if (!removedMailbox) return;
    const { provider, address } = removedMailbox;
    const at = deps.clock.now();
    await recordAudit(tx, {
      companyId,
      at,
      actor: userId,
      action: 'mailbox.disconnected',
      subject: companyId,
      before: { provider, address },
      ip,
    });
    await enqueueSending(deps, tx, companyId);
  });
}
