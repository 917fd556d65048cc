import { sql, type SQL, type SQLWrapper } from '@portal/db/sql.ts';
import type { InvitationState } from '@portal/domain/clients/invitation-state.ts';

type InvitationTimes = Readonly<Record<'acceptedAt' | 'revokedAt' | 'sentAt' | 'expiresAt' | 'bouncedAt' | 'openedAt', SQLWrapper>>;

/** The SQL equivalent of getInvitationState. `now` is the wall clock's time. */
export const getInvitationStateSql = (times: InvitationTimes, now: SQLWrapper): SQL<InvitationState> => sql<InvitationState>`case
  when ${times.acceptedAt} is not null then 'accepted'
  when ${times.revokedAt} is not null then 'revoked'
  when ${times.sentAt} is null or ${times.expiresAt} is null then 'draft'
  when ${times.bouncedAt} is not null then 'bounced'
  when ${times.expiresAt} <= ${now} then 'expired'
  when ${times.openedAt} is null then 'sent' else 'opened' end`;
