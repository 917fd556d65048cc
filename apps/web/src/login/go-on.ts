/** Where a person who is logged in goes from the login page (specification 4, "Login state"). */
import { identityApi } from '@portal/contract/identity.ts';
import { apiRequest } from '../lib/api.ts';
import { takePostLoginPath } from '../lib/post-login-path.ts';
import { ApiError } from '../lib/problem-to-error.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

async function isSignedIn(): Promise<boolean> {
  return (await apiRequest(identityApi.checkLogin, {}, { unauthorized: 'throw' })).type !== undefined;
}

/** To the page that was wanted, else /home; the way back does not lead here again. */
function goOn(): void {
  location.replace(`${PORTAL_BASE}${takePostLoginPath() ?? '/home'}`);
}

/** The check of each page load. Where it fails, the form is there all the same and will say what is wrong. */
export async function goOnIfSignedIn(): Promise<void> {
  if (await isSignedIn().catch(() => false)) goOn();
}

/** After a sign-in. Throws where the browser did not keep the session's cookie: going on would only lead back here. */
export async function finishSignIn(): Promise<void> {
  if (await isSignedIn()) goOn();
  else {
    throw new ApiError({
      status: 401,
      code: 'session.cookie_lost',
      message: 'Your browser did not keep the sign-in. Allow cookies for this site, then log in again.',
    });
  }
}
