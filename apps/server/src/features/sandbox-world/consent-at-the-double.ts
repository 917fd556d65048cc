import type { AppDeps } from '../../app-deps.ts';
import { finishConsent } from '../hmrc-connection/finish-consent.ts';
import type { Person } from '../hmrc-connection/use-hmrc.ts';

/** The double grants at once for `sandbox_user`: the same redirects as a browser would follow, over HTTP. */
export async function consentAtTheDouble(
  deps: AppDeps,
  person: Person,
  hmrcUserId: string,
  { authorize_url }: { readonly authorize_url: string },
): Promise<void> {
  const url = new URL(authorize_url);
  url.searchParams.set('sandbox_user', hmrcUserId);
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error('the double of HMRC granted nothing to a seeded person');
  const query = new URL(location).searchParams;
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  await finishConsent(deps, person.actor.userId, { state: text('state'), code: text('code'), error: text('error') }, '127.0.0.1');
}
