/** What follows a successful sign-in: nothing of the person before stays, and the session is read anew. */
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../core/session.tsx';
import { ApiError } from '../../lib/problem-to-error.ts';

/** Throws where the browser did not keep the session's cookie: going on would only lead back here. */
export function useFinishSignIn(): () => Promise<void> {
  const { check } = useSession();
  const queries = useQueryClient();
  return async () => {
    queries.clear();
    const session = await check();
    if (session.status === 'signed_in') return;
    if (session.status === 'unknown') throw session.error;
    throw new ApiError({
      status: 401,
      code: 'session.cookie_lost',
      message: 'Your browser did not keep the sign-in. Allow cookies for this site, then log in again.',
    });
  };
}
