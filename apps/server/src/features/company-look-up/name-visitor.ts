/** Names the signed-in person to the live chat, by a token of HubSpot's. */
import { AppError } from '@portal/domain/app-error.ts';
import { createBoundedCache } from '@portal/providers/companies-house/bounded-cache.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';

/** HubSpot's tokens live twelve hours; one that is handed out must outlive the visit it is for. */
const KEPT_MS = 8 * 3_600_000;
const PEOPLE_KEPT = 2_000;

/** Tokens are kept in this process's memory only, by person and address; another instance asks for its own, which does no harm. */
export function visitorNames(deps: AppDeps): (actor: Pick<Actor, 'userId' | 'email'>) => Promise<string> {
  const kept = createBoundedCache<string>(deps.clock, { entries: PEOPLE_KEPT, lifeMs: () => KEPT_MS });
  return async ({ userId, email }) => {
    const { chat } = deps;
    if (!chat) throw new AppError('upstream', 'chat.not_set_up', 'There is no chat here. Write to us instead.');
    return kept.through(`${userId} ${email}`, async () => (await chat.createVisitorToken({ email })).token);
  };
}
