/** The link of an emailed invitation: valid for a limited time and used once. Only the hash of its secret is stored. */
import type { PgColumn } from 'drizzle-orm/pg-core';
import { and, eq, gt, isNull, type SQL } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { generateToken, hashToken } from '../../http/session.ts';

type InvitationLink = { readonly token: string; readonly tokenHash: string; readonly expiresAt: Instant };

/** The columns that every invitations table has. */
type InvitationColumns = Readonly<Record<'tokenHash' | 'acceptedAt' | 'revokedAt' | 'expiresAt', PgColumn>>;

/** The lifetime of an invitation to a company or a practice, which is shorter than a client invitation's. */
export const INVITATION_TTL_MS = 7 * 86_400_000;

export const MAX_INVITATION_LINKS_PER_NETWORK = 100;

/** Creates a link that expires by the wall clock, like every emailed link. */
export function createInvitationLink({ wallClock }: AppDeps, ttlMs: number): InvitationLink {
  const token = generateToken();
  return { token, tokenHash: hashToken(token), expiresAt: addMilliseconds(wallClock.now(), ttlMs) };
}

/** Returns the condition for an invitation whose link is currently usable. */
export function isUsableInvitation({ wallClock }: AppDeps, invitations: InvitationColumns, token: string): SQL | undefined {
  return and(
    eq(invitations.tokenHash, hashToken(token)),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, wallClock.now()),
  );
}
