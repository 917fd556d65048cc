/** Sign-in providers, and the messages about their outcomes. */
import { SIGN_IN_PROVIDERS, type SignInProviderName } from '@portal/contract/security.ts';
import { PORTAL_BASE } from './settings.ts';
import type { Brand } from '../ui/brand-mark.tsx';
import type { NoticeTone } from '../ui/notice.tsx';

type SignInProvider = { readonly name: SignInProviderName; readonly brand: Brand; readonly displayName: string };

/** In the order of the sign-up dialog, followed by those that can only sign in. */
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

export function getProviderSignInUrl(name: SignInProviderName, { next, link = false, vrn }: SignInQuery = {}): string {
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
    title: 'No company with this VAT number is connected to HMRC here',
    text: 'You can log in with HMRC once your company is connected. Log in another way or sign up.',
  },
  needs_vrn: {
    tone: 'warning',
    title: 'Enter your company’s VAT number first',
    text: 'It has 9 digits. Select “Sign in with HMRC” below and enter it there.',
  },
};

const OUTCOMES: Readonly<Record<string, (name: string) => ProviderOutcome>> = {
  declined: (name) => ({
    tone: 'info',
    title: `You didn’t give ${name} permission`,
    text: 'We didn’t receive any information. Try again or use another way to log in.',
  }),
  sign_up_declined: (name) => ({
    tone: 'info',
    title: `You didn’t give ${name} permission`,
    text: `We didn’t receive any information. You can try again, or sign up with your email address and connect ${name} or upload a file later.`,
  }),
  failed: (name) => ({
    tone: 'error',
    title: `We couldn’t complete your sign-in with ${name}`,
    text: 'It didn’t work or took too long. Nothing has changed. Try again or use another way to log in.',
  }),
  needs_link: (name) => ({
    tone: 'info',
    title: 'Check your email',
    text: `We sent you a link to connect ${name}. Open it in this browser and confirm. It works once, for 30 minutes.`,
  }),
  not_linked: (name) => ({
    tone: 'warning',
    title: `No account uses this ${name} login`,
    text: `${name} didn’t share an email address with us. Log in another way, then connect ${name} in your profile.`,
  }),
  not_set_up: (name) => ({
    tone: 'warning',
    title: `You can’t log in with ${name} yet`,
    text: 'It isn’t available here. Log in another way.',
  }),
  confirm_needed: (name) => ({
    tone: 'warning',
    title: 'Confirm that it’s you first',
    text: `Nothing has changed. Select “Connect ${name}” again, and we’ll ask you to confirm.`,
  }),
  linked: (name) => ({ tone: 'success', title: `${name} is connected`, text: `You can now log in with ${name}.` }),
  linked_elsewhere: (name) => ({
    tone: 'warning',
    title: `This ${name} login belongs to another account`,
    text: `Nothing has changed. Log in with ${name} to open that account, or use a different ${name} login.`,
  }),
};

/** Reads the outcome from the query that the server redirects with. Returns undefined if there is nothing to show. */
export function readProviderOutcome(search: URLSearchParams): ProviderOutcome | undefined {
  const namedProvider = SIGN_IN_PROVIDERS.find((provider) => provider === search.get('provider'));
  const outcome = search.get('outcome') ?? '';
  const hmrcOutcome = namedProvider === 'hmrc' && Object.hasOwn(HMRC_OUTCOMES, outcome) ? HMRC_OUTCOMES[outcome] : undefined;
  if (hmrcOutcome !== undefined) return hmrcOutcome;
  if (!Object.hasOwn(OUTCOMES, outcome)) return undefined;
  return OUTCOMES[outcome]?.(namedProvider === undefined ? 'the other service' : getProviderName(namedProvider));
}
