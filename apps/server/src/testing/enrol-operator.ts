/** Enrols an invited operator in a test, as they would themselves. */
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import type { TestPortal } from './open-test-portal.ts';
import { createBrowser, type Browser } from './test-trader.ts';

/** Returns the token from the link in the newest email to this address. */
export const readEnrolmentLink = (portal: TestPortal, email: string): string =>
  /token=([\w-]+)/.exec(portal.sentEmails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? '';

/** Uses an enrolment link and sets up an authenticator app. Returns the browser, the app's secret and the code already used. */
export async function enrolOperator(portal: TestPortal, token: string): Promise<{ person: Browser; secret: string; usedCode: string }> {
  const { cookie } = await createBrowser(portal).post('/v2/auth/use-link', { token });
  const enrolling = createBrowser(portal, cookie);
  const secret = String((await enrolling.post('/v2/security/authenticator/begin', {})).body['secret']);
  const usedCode = generateCode(secret);
  const confirmedResponse = await enrolling.post('/v2/security/authenticator/confirm', { code: usedCode });
  return { person: createBrowser(portal, confirmedResponse.cookie), secret, usedCode };
}
