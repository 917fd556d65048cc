/** Steps shared by several sequences: sign up with the emailed link, visit a provider and return, read the sandbox. */
import { identityApi } from '@portal/contract/identity.ts';
import { grantHmrcPermission, type SandboxClient } from '../../smoke/sandbox-client.ts';
import { waitUntil } from '../../smoke/wait-until.ts';
import { pick, type RandomSource } from '../../chaos/random.ts';
import type { Tenant } from './campaign-record.ts';
import { createMarker } from './foreign-data.ts';
import { createPerson, type Person, type Run } from './hostile-person.ts';
import type { Oakline } from './oakline.ts';
import type { Operators } from './operators.ts';
import type { WebhookKeys } from './webhook-keys.ts';

/** State shared by all sequences. */
export type HostileTestBed = {
  readonly run: Run;
  readonly sandbox: SandboxClient;
  readonly random: RandomSource;
  readonly operators: Operators;
  readonly oakline: Oakline;
  readonly keys: WebhookKeys;
};

const WAIT_MS = 90_000;

export const pollUntil = <Found>(poll: () => Promise<Found | undefined>, missing: string): Promise<Found> =>
  waitUntil(poll, missing, WAIT_MS);

export function createTenant({ random }: HostileTestBed): Tenant {
  return { marker: createMarker(random) };
}

/** Each user has a separate network, because limits count per network. */
export function createHostilePerson({ run, random }: HostileTestBed, tenant: Tenant): Person {
  const drawPart = (): number => 1 + Math.floor(random() * 250);
  return createPerson(run, tenant, random, { ip: `10.${drawPart()}.${drawPart()}.${drawPart()}` });
}

export const getEmail = ({ marker }: Tenant, name = 'person'): string => `${name}@${marker}.example`;
export const getPersonName = ({ marker }: Tenant): string => `Pat ${marker}`;

export async function findTokens({ sandbox }: HostileTestBed, email: string, page?: { readonly path: string }): Promise<string[]> {
  return (await sandbox.listMailedLinks(email)).flatMap((link) => {
    const url = URL.canParse(link) ? new URL(link) : undefined;
    return page === undefined || url?.pathname.endsWith(page.path) ? (url?.searchParams.get('token') ?? []) : [];
  });
}

/**
 * Returns the newest link with a token; `afterCount` is how many links had already arrived. An email of an earlier step can arrive late, so
 * `page` is the one that the link must open.
 */
export function waitForToken(testBed: HostileTestBed, email: string, afterCount = 0, page?: { readonly path: string }): Promise<string> {
  return pollUntil(async () => {
    const tokens = await findTokens(testBed, email, page);
    return tokens.length > afterCount ? tokens[0] : undefined;
  }, `no email with a link arrived at ${email}`);
}

export async function signUp(
  testBed: HostileTestBed,
  person: Person,
  options: { password?: string; partner?: string; product?: 'instant_vat' | 'open_tax' } = {},
): Promise<string> {
  const { tenant } = person;
  const email = getEmail(tenant);
  await person.open('/v2/instant-vat', {}, { corrupted: 2 });
  await person.call(identityApi.signUp, { email, full_name: getPersonName(tenant), phone: '020 7946 0018', ...options }, { isSafe: true });
  const token = await waitForToken(testBed, email);
  await person.call(identityApi.previewLink, { token });
  await person.call(identityApi.consumeLink, { token }, { isSafe: testBed.random() < 0.5 });
  await person.call(identityApi.checkLogin, {});
  return email;
}

/** Grants access at HMRC's simulator and returns through the browser. */
export async function returnFromHmrc(person: Person, authorizeUrl: string, hmrcUserId: string): Promise<string | undefined> {
  const callbackUrl = await grantHmrcPermission(authorizeUrl, hmrcUserId);
  const { location } = await person.open(callbackUrl.pathname.replace(/^\/portal/, ''), Object.fromEntries(callbackUrl.searchParams), {
    corrupted: 0,
  });
  return location;
}

/** Returns text from a user who writes more than just ASCII. */
export function createText({ random }: Person, { marker }: Tenant): string {
  return pick(random, [`Looks right to me ${marker}`, `Zoë’s note — “fine” ${marker}`, `确认 ${marker} ✓`, `Line one\nline two ${marker}`]);
}
