import type { AppDeps } from '../../app-deps.ts';
import { completeAuthorisation } from '../hmrc-connection/complete-authorisation.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';

/** Seeding doesn't involve a browser, so the simulated HMRC reports missing fraud prevention headers, as HMRC would. */
export const seedCaller = {
  ip: '127.0.0.1',
  port: undefined,
  userAgent: 'sandbox seed',
  deviceId: undefined,
  device: undefined,
} satisfies ActingUser['caller'];

/** Connects by following the redirects over HTTP, as a browser would. The simulated HMRC grants access to `sandbox_user` immediately. */
export async function connectToSimulatedHmrc(
  deps: AppDeps,
  user: ActingUser,
  hmrcUserId: string,
  { authorize_url }: { readonly authorize_url: string },
): Promise<void> {
  const url = new URL(authorize_url);
  url.searchParams.set('sandbox_user', hmrcUserId);
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`The simulated HMRC did not grant access to ${hmrcUserId}: it answered ${response.status}.`);
  const query = new URL(location).searchParams;
  const readText = (name: string): string | undefined => query.get(name) ?? undefined;
  const callback = { state: readText('state'), code: readText('code'), error: readText('error') };
  await completeAuthorisation(deps, user.actor.userId, callback, seedCaller.ip);
}
