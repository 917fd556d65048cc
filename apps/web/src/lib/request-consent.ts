/** Requests consent when needed. The cookie banner registers itself as the prompt. */
import { readConsent, saveConsent, ALL_REJECTED, type ConsentChoices } from './consent.ts';

export type ConsentKind = keyof ConsentChoices;

/** Asks the visitor and resolves to their choice. */
export type ConsentPrompt = (kind: ConsentKind) => Promise<boolean>;

let consentPrompt: ConsentPrompt | undefined;

/** Returns a function that removes the prompt. */
export function setConsentPrompt(prompt: ConsentPrompt): () => void {
  consentPrompt = prompt;
  return () => {
    if (consentPrompt === prompt) consentPrompt = undefined;
  };
}

/**
 * Returns whether the visitor allows it, based on their saved choice or on their answer to a prompt now. A refusal applies once and isn't
 * saved.
 */
export async function requestConsent(kind: ConsentKind): Promise<boolean> {
  const consentChoices = readConsent();
  if (consentChoices?.[kind] === true) return true;
  if (consentPrompt === undefined || !(await consentPrompt(kind))) return false;
  saveConsent({ ...(readConsent() ?? ALL_REJECTED), [kind]: true });
  return true;
}

let opener: (() => void) | undefined;

/** Registers a function that opens the cookie choices. Returns a function that removes it. */
export function setChoicesOpener(open: () => void): () => void {
  opener = open;
  return () => {
    if (opener === open) opener = undefined;
  };
}

/** Withdrawing consent must be as easy as giving it. */
export function openCookieChoices(): void {
  opener?.();
}
