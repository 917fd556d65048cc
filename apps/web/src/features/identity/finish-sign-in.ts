/** Completes a sign-in: clears the previous user's data and rechecks the session. */
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../core/session.tsx';
import { ApiError } from '../../lib/problem-to-error.ts';

/** Throws if the browser didn't store the session cookie: continuing would only return to the login page. */
export function useFinishSignIn(): () => Promise<void> {
  const { check } = useSession();
  const queryClient = useQueryClient();
  return async () => {
    queryClient.clear();
    const session = await check();
    if (session.status === 'signed_in') return;
    if (session.status === 'unknown') throw session.error;
    throw new ApiError({
      status: 401,
      code: 'session.cookie_lost',
      message: 'Your browser didn’t save your login. Allow cookies for this site, then log in again.',
    });
  };
}
