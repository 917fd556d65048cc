/**
 * What a visitor allows us to store on the device beyond what the service needs (PECR, regulation 6; docs/decisions/0015). Stored in a
 * cookie, because the choice must survive logging out, which clears local storage.
 */

export type ConsentChoices = {
  /** Allows the analytics container and its cookies. */
  readonly analytics: boolean;
  /** Allows marketing tags, and storing the partner's name beyond this visit. */
  readonly marketing: boolean;
  /** Allows the chat's own cookies. */
  readonly chat: boolean;
};

export const CONSENT_COOKIE = 'cookie_choices';

/** Ask again after 180 days. Raise VERSION when the meaning of the choices changes. */
const MAX_AGE_SECONDS = 180 * 86_400;
const VERSION = 1;

export const ALL_REJECTED: ConsentChoices = { analytics: false, marketing: false, chat: false };
export const ALL_ACCEPTED: ConsentChoices = { analytics: true, marketing: true, chat: true };

/** Formats the choices, for example "1.a1m0c1". */
export function formatConsentCookie({ analytics, marketing, chat }: ConsentChoices): string {
  return `${VERSION}.a${Number(analytics)}m${Number(marketing)}c${Number(chat)}`;
}

/** Returns undefined if the visitor hasn't made a choice, or made it for another version. */
export function parseConsentCookie(cookies: string): ConsentChoices | undefined {
  const value = new RegExp(`(?:^|;\\s*)${CONSENT_COOKIE}=([^;]*)`).exec(cookies)?.[1]?.trim() ?? '';
  const match = /^(\d+)\.a([01])m([01])c([01])$/.exec(value);
  if (match === null || Number(match[1]) !== VERSION) return undefined;
  return { analytics: match[2] === '1', marketing: match[3] === '1', chat: match[4] === '1' };
}

/** Returns undefined if the visitor hasn't chosen yet. Don't store anything optional in that case. */
export const readConsent = (): ConsentChoices | undefined => parseConsentCookie(document.cookie);

type Listener = (choices: ConsentChoices) => void;
const listeners = new Set<Listener>();

/** Saves the choices and notifies the listeners on this page. */
export function saveConsent(choices: ConsentChoices): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${CONSENT_COOKIE}=${formatConsentCookie(choices)}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax${secure}`;
  for (const listener of listeners) listener(choices);
}

/** Returns a function that removes the listener. */
export function onConsentChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
