/** A user's account: every sign-in method, second factors, passkeys, password, email address, phone and sessions. */
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { securityApi } from '@portal/contract/security.ts';
import { verificationApi } from '@portal/contract/verification.ts';
import { generateCode } from '@portal/sandbox/seed/authenticator-code.ts';
import { pick } from '../../chaos/random.ts';
import type { Person } from './hostile-person.ts';
import { createPasskey } from './passkey-device.ts';
import { getEmail, findTokens, createHostilePerson, createTenant, signUp, pollUntil, waitForToken, type HostileTestBed } from './people.ts';

const PASSWORDS = {
  first: 'violet anchors hum at 7 below',
  second: 'nine copper kettles drift north',
  third: 'marble otters polish the moon 4',
};
/** Argon2 is slow, so steps that hash are preceded by fewer corrupted calls. */
const FEW_CORRUPTIONS = { corrupted: 6 };
const PROVIDERS = ['google', 'microsoft', 'xero', 'intuit', 'freeagent'] as const;

export async function runAccountSequence(testBed: HostileTestBed): Promise<void> {
  const tenant = createTenant(testBed);
  const person = createHostilePerson(testBed, tenant);
  const email = await signUp(testBed, person, { password: PASSWORDS.first });
  await verifyContacts(testBed, person, email);
  await person.call(identityApi.logout, {}, { corrupted: 3 });
  await person.call(identityApi.login, { email, password: PASSWORDS.first }, FEW_CORRUPTIONS);
  await person.call(identityApi.sendMagicLink, { email });
  await useAuthenticator(testBed, person, email);
  await usePasskey(testBed, person);
  await resetPassword(testBed, person, email);
  await changeEmail(testBed, person, email);
  await endSessions(testBed, person);
}

async function readTextedCode({ run }: HostileTestBed, phone: string): Promise<string | undefined> {
  const response = await fetch(`${run.sandboxUrl}/texts.json?to=${encodeURIComponent(phone)}`);
  const { messages } = (await response.json()) as { messages: { code: string }[] };
  return messages[0]?.code;
}

async function verifyContacts(testBed: HostileTestBed, person: Person, email: string): Promise<void> {
  const number = `+447412345${String(Math.floor(testBed.random() * 1000)).padStart(3, '0')}`;
  await person.call(verificationApi.sendEmailVerification, {});
  await person.call(verificationApi.savePhone, { phone: number });
  const { sent_to } = await person.call(verificationApi.sendPhoneVerification, {}, { mayEnd: [409] });
  // The provider limits the number of text messages to one phone number.
  await person.call(verificationApi.resendPhoneCode, {}, { corrupted: 3, mayEnd: [409, 429] });
  const code = (await readTextedCode(testBed, sent_to)) ?? (await readTextedCode(testBed, number)) ?? '123456';
  await person.call(verificationApi.checkPhoneCode, { code }, { mayEnd: [409] });
  await person.call(companyLookUpApi.chatVisitor, { email }, { mayEnd: [404] });
}

async function useAuthenticator(testBed: HostileTestBed, person: Person, email: string): Promise<void> {
  await person.call(securityApi.get, {});
  await person.call(securityApi.checkConfirmed, {});
  await person.call(securityApi.confirmFactor, { password: PASSWORDS.first }, FEW_CORRUPTIONS);
  const { secret } = await person.call(securityApi.startAuthenticatorSetup, {}, { isSafe: true });
  // On a busy machine, the code has expired by the time of the right call.
  const setupResponse = await person.call(
    securityApi.confirmAuthenticator,
    { code: generateCode(secret, -1) },
    { isSafe: true, mayEnd: [400] },
  );
  if (!('recovery_codes' in setupResponse)) return;
  const second = createHostilePerson(testBed, person.tenant);
  const loginResponse = await second.call(identityApi.login, { email, password: PASSWORDS.first }, FEW_CORRUPTIONS);
  if (loginResponse.type === 'second_factor') {
    await second.call(
      securityApi.completeSecondFactor,
      { challenge: loginResponse.challenge, code: generateCode(secret) },
      { isSafe: true, mayEnd: [400] },
    );
  }
  await person.call(securityApi.removeAuthenticator, { code: generateCode(secret, 1) }, { isSafe: true, mayEnd: [400, 403] });
}

async function usePasskey(testBed: HostileTestBed, person: Person): Promise<void> {
  const { challenge_id, options } = await person.call(securityApi.startPasskeyRegistration, {}, { mayEnd: [403] });
  if (challenge_id === undefined) return;
  const { device, response } = createPasskey(String(options['challenge']), getOrigin(testBed));
  await person.call(securityApi.addPasskey, { challenge_id, name: 'My phone', response }, { isSafe: true, mayEnd: [400] });
  const second = createHostilePerson(testBed, person.tenant);
  const optionsResponse = await second.call(securityApi.passkeySignInOptions, {});
  const signedChallenge = device.sign(String(optionsResponse.options['challenge']));
  await second.call(
    securityApi.passkeySignIn,
    { challenge_id: optionsResponse.challenge_id, response: signedChallenge },
    { isSafe: testBed.random() < 0.5, mayEnd: [400, 401] },
  );
  const { passkeys } = await person.ask(securityApi.get, {});
  for (const { passkey_id } of passkeys) await person.call(securityApi.removePasskey, { passkey_id }, { mayEnd: [403, 404] });
}

const getOrigin = ({ run }: HostileTestBed): string => run.origins[0] ?? '';

async function resetPassword(testBed: HostileTestBed, person: Person, email: string): Promise<void> {
  await person.call(securityApi.requestPasswordReset, { email });
  const token = await waitForToken(testBed, email, 0, PAGES.newPassword);
  await person.call(securityApi.resetPassword, { token, password: PASSWORDS.second }, { corrupted: 10, isSafe: true });
  await person.call(identityApi.login, { email, password: PASSWORDS.second }, FEW_CORRUPTIONS);
  const change = { current_password: PASSWORDS.second, new_password: PASSWORDS.third };
  await person.call(securityApi.changePassword, change, { ...FEW_CORRUPTIONS, isSafe: true, mayEnd: [403] });
}

async function changeEmail(testBed: HostileTestBed, person: Person, email: string): Promise<void> {
  await person.call(securityApi.emailConfirmationCode, {}, { mayEnd: [409] });
  const target = getEmail(person.tenant, 'renamed');
  await person.call(securityApi.requestEmailChange, { email: target }, { isSafe: true, mayEnd: [403] });
  await person.call(securityApi.cancelEmailChange, {});
  const tokensBefore = (await findTokens(testBed, email, PAGES.confirmEmailChange)).length;
  const changeResponse = await person.call(securityApi.requestEmailChange, { email: target }, { corrupted: 0, mayEnd: [403] });
  if (!('sent_to' in changeResponse)) return;
  const tokens = [
    await waitForToken(testBed, email, tokensBefore, PAGES.confirmEmailChange),
    await pollUntil(async () => (await findTokens(testBed, target, PAGES.confirmEmailChange))[0], 'no link in the new mailbox'),
  ];
  for (const token of tokens) {
    await person.call(securityApi.previewEmailChange, { token }, { mayEnd: [400, 404] });
    await person.call(securityApi.confirmEmailChange, { token }, { isSafe: true, mayEnd: [400, 404] });
  }
}

async function endSessions(testBed: HostileTestBed, person: Person): Promise<void> {
  const { sessions } = await person.ask(securityApi.get, {});
  const otherSession = sessions.find(({ is_this_one }) => !is_this_one);
  if (otherSession) await person.call(securityApi.endSession, { session_id: otherSession.session_id }, { isSafe: true, mayEnd: [404] });
  await person.call(securityApi.endSession, {}, { corrupted: 3 });
  await person.call(securityApi.unlink, { provider: pick(testBed.random, PROVIDERS) }, { mayEnd: [403, 404, 409] });
}

/** Signs up and logs in through a provider's simulator, with invalid callbacks before the valid one. */
export async function runProviderSignInSequence(testBed: HostileTestBed): Promise<void> {
  const tenant = createTenant(testBed);
  const person = createHostilePerson(testBed, tenant);
  const provider = pick(testBed.random, PROVIDERS);
  const account = { provider, email: getEmail(tenant), full_name: `Pat ${tenant.marker}`, email_verified: 'yes' };
  await fetch(`${testBed.run.sandboxUrl}/control/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  for (const path of ['/google_signup', '/microsoft_signup', '/intuit_signup', '/xero_sso_signup', '/freeagent_signup'])
    await person.open(path, { partner: 'gofile' }, { corrupted: 4 });
  const { location } = await person.open(`/v2/auth/provider/${provider}`, { next: '/home' });
  if (location === undefined) throw new Error(`${provider} was not reached`);
  const url = new URL(location);
  url.searchParams.set('sandbox_user', account.email);
  const redirectUrl = (await fetch(url, { redirect: 'manual' })).headers.get('location');
  if (redirectUrl === null) throw new Error(`${provider} sent no one back`);
  const callbackUrl = new URL(redirectUrl);
  await person.open(callbackUrl.pathname.replace(/^\/portal/, ''), { code: 'x', state: 'guessed' });
  await person.open(callbackUrl.pathname.replace(/^\/portal/, ''), Object.fromEntries(callbackUrl.searchParams), { corrupted: 0 });
  await person.call(identityApi.checkLogin, {});
  await person.call(securityApi.get, {}, { mayEnd: [401] });
}
