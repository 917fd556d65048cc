/** Sign-in providers and the messages about their outcome. */
import { SIGN_IN_PROVIDERS, type SignInProviderName } from '@portal/contract/security.ts';
import { PORTAL_BASE } from './settings.ts';
import type { Brand } from '../ui/brand-mark.tsx';
import type { NoticeTone } from '../ui/notice.tsx';

type SignInProvider = { readonly name: SignInProviderName; readonly brand: Brand; readonly displayName: string };

/** In the order of the sign-up dialog, then those that only sign in. */
export const LOGIN_PROVIDERS: readonly SignInProvider[] = [
  { name: 'xero', brand: 'xero', displayName: 'Xero' },
  { name: 'intuit', brand: 'quickbooks', displayName: 'QuickBooks' },
  { name: 'google', brand: 'google', displayName: 'Google' },
  { name: 'microsoft', brand: 'microsoft', displayName: 'Microsoft' },
  { name: 'freeagent', brand: 'freeagent', displayName: 'FreeAgent' },
  { name: 'hmrc', brand: 'hmrc', displayName: 'HMRC' },
];

export function getProviderName(name: SignInProviderName): string {
  return LOGIN_PROVIDERS.find((provider) => provider.name === name)?.displayName ?? name;
}

type SignInQuery = {
  /** The page below /portal to return to. */
  readonly next?: string | undefined;
  /** Links the provider to the account that is signed in. */
  readonly link?: boolean;
  /** The company's VAT number, required to sign in with HMRC. */
  readonly vrn?: string;
};

export function providerSignInUrl(name: SignInProviderName, { next, link = false, vrn }: SignInQuery = {}): string {
  const query = new URLSearchParams({
    ...(next === undefined ? {} : { next }),
    ...(link ? { link: '1' } : {}),
    ...(vrn === undefined ? {} : { vrn }),
  }).toString();
  return `${PORTAL_BASE}/v2/auth/provider/${name}${query === '' ? '' : `?${query}`}`;
}

export type ProviderOutcome = { readonly tone: NoticeTone; readonly title: string; readonly text: string };

const HMRC_OUTCOMES: Readonly<Record<string, ProviderOutcome>> = {
  not_linked: {
    tone: 'warning',
    title: 'No company here is connected to HMRC with this VAT number',
    text: 'Logging in with HMRC works once a company is connected. Log in another way, or sign up.',
  },
  needs_vrn: {
    tone: 'warning',
    title: 'Enter the company’s VAT number first',
    text: 'It has 9 digits. Choose “Sign in with HMRC” below and type it there.',
  },
};

const OUTCOMES: Readonly<Record<string, (name: string) => ProviderOutcome>> = {
  declined: (name) => ({
    tone: 'info',
    title: `You said no at ${name}`,
    text: 'Nothing was connected and we received nothing. You can try again, or use another way.',
  }),
  failed: (name) => ({
    tone: 'error',
    title: `${name} did not finish`,
    text: 'It did not work, or it took too long. Nothing has changed. Try again, or use another way.',
  }),
  needs_link: (name) => ({
    tone: 'info',
    title: 'Check your email',
    text: `We sent you a link to connect ${name}. Open it in this browser and press the button. It works once, for 30 minutes.`,
  }),
  not_linked: (name) => ({
    tone: 'warning',
    title: `No account here uses this ${name} login`,
    text: `${name} gave us no email address that we could write to. Use another way, then connect ${name} in your profile.`,
  }),
  not_set_up: (name) => ({
    tone: 'warning',
    title: `${name} cannot be used here yet`,
    text: 'It is not set up on this portal. Use another way.',
  }),
  linked: (name) => ({ tone: 'success', title: `${name} is connected`, text: `You can now log in with ${name}.` }),
  linked_elsewhere: (name) => ({
    tone: 'warning',
    title: `This ${name} login belongs to another account here`,
    text: `Nothing has changed. Log in with ${name} to open that account, or use another ${name} login.`,
  }),
};

/** The outcome in the query that the server redirects with. Undefined if there is nothing to show. */
export function readProviderOutcome(search: URLSearchParams): ProviderOutcome | undefined {
  const named = SIGN_IN_PROVIDERS.find((provider) => provider === search.get('provider'));
  const outcome = search.get('outcome') ?? '';
  const hmrcOutcome = named === 'hmrc' && Object.hasOwn(HMRC_OUTCOMES, outcome) ? HMRC_OUTCOMES[outcome] : undefined;
  if (hmrcOutcome !== undefined) return hmrcOutcome;
  if (!Object.hasOwn(OUTCOMES, outcome)) return undefined;
  return OUTCOMES[outcome]?.(named === undefined ? 'The other service' : getProviderName(named));
}
