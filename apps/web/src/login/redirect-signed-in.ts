/** Redirects signed-in users away from the login page (docs/product/specification.md section 4, "Login state"). */
import { identityApi } from '@portal/contract/identity.ts';
import { apiRequest } from '../lib/api.ts';
import { consumePostLoginPath } from '../lib/post-login-path.ts';
import { ApiError } from '../lib/problem-to-error.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

async function isSignedIn(): Promise<boolean> {
  return (await apiRequest(identityApi.checkLogin, {}, { unauthorized: 'throw' })).type !== undefined;
}

/** Replaces the login page with the requested page or /home, so that the Back button doesn't return here. */
function leaveLoginPage(): void {
  location.replace(`${PORTAL_BASE}${consumePostLoginPath() ?? '/home'}`);
}

/** Called on each page load. If the check fails, the form stays, and submitting it reports the problem. */
export async function redirectIfSignedIn(): Promise<void> {
  if (await isSignedIn().catch(() => false)) leaveLoginPage();
}

/** Called after a sign-in. Throws if the browser didn't store the session cookie, because a redirect would only lead back here. */
export async function completeSignIn(): Promise<void> {
  if (await isSignedIn()) leaveLoginPage();
  else {
    throw new ApiError({
      status: 401,
      code: 'session.cookie_lost',
      message: 'Your browser didn’t save your login. Allow cookies for this site, then log in again.',
    });
  }
}
