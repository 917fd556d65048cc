/** Asks for one consent at the moment when it is needed: whoever can draw the question says so here. */
import { readConsent, saveConsent, ALL_REJECTED, type ConsentChoices } from './consent.ts';

export type ConsentKind = keyof ConsentChoices;

/** Draws the question and answers with the person's choice. */
export type ConsentPrompt = (kind: ConsentKind) => Promise<boolean>;

let consentPrompt: ConsentPrompt | undefined;

/** Gives back how to stop being the one who asks. */
export function setConsentPrompt(prompt: ConsentPrompt): () => void {
  consentPrompt = prompt;
  return () => {
    if (consentPrompt === prompt) consentPrompt = undefined;
  };
}

/** Whether the person allows it: what they chose before, else what they answer now. A refusal is not kept: they meant this once. */
export async function requestConsent(kind: ConsentKind): Promise<boolean> {
  const chosen = readConsent();
  if (chosen?.[kind] === true) return true;
  if (consentPrompt === undefined || !(await consentPrompt(kind))) return false;
  saveConsent({ ...(readConsent() ?? ALL_REJECTED), [kind]: true });
  return true;
}

let opener: (() => void) | undefined;

/** Shows the choices again: whoever can draw them says so here. Gives back how to stop. */
export function setChoicesOpener(open: () => void): () => void {
  opener = open;
  return () => {
    if (opener === open) opener = undefined;
  };
}

/** Lets the person change what they allowed; withdrawing is as easy as allowing. */
export function openCookieChoices(): void {
  opener?.();
}
