/**
 * Passes data from the login page, which is a separate document, to the next pages in this tab: where a link was sent, and the typed email
 * address.
 */
const SENT_KEY = 'sent-mail';
const TYPED_KEY = 'typed-email';

/** `purpose` completes "press the button on the page to ...". */
export type SentEmail = { readonly sentTo: string; readonly purpose: string };

export const saveSentEmail = (mail: SentEmail): void => sessionStorage.setItem(SENT_KEY, JSON.stringify(mail));

export function findSentEmail(): SentEmail | undefined {
  try {
    const savedEmail: unknown = JSON.parse(sessionStorage.getItem(SENT_KEY) ?? 'null');
    return isSentEmail(savedEmail) ? savedEmail : undefined;
  } catch {
    // Another script wrote the value.
    return undefined;
  }
}

export function isSentEmail(value: unknown): value is SentEmail {
  if (value === null || typeof value !== 'object' || !('sentTo' in value) || !('purpose' in value)) return false;
  return typeof value.sentTo === 'string' && typeof value.purpose === 'string';
}

export const saveTypedEmail = (email: string): void => sessionStorage.setItem(TYPED_KEY, email);
export const getTypedEmail = (): string => sessionStorage.getItem(TYPED_KEY) ?? '';

/** Called when the user opens the login page again. */
export function deleteSentEmail(): void {
  sessionStorage.removeItem(SENT_KEY);
  sessionStorage.removeItem(TYPED_KEY);
}
