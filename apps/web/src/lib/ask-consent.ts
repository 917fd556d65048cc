/** Asks for one consent at the moment when it is needed: whoever can draw the question says so here. */
import { readConsent, saveConsent, ALL_REFUSED, type ConsentChoices } from './consent.ts';

export type ConsentKind = keyof ConsentChoices;

/** Draws the question and answers with the person's choice. */
export type ConsentAsker = (kind: ConsentKind) => Promise<boolean>;

let asker: ConsentAsker | undefined;

/** Gives back how to stop being the one who asks. */
export function setConsentAsker(ask: ConsentAsker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = undefined;
  };
}

/** Whether the person allows it: what they chose before, else what they answer now. A refusal is not kept: they meant this once. */
export async function askConsent(kind: ConsentKind): Promise<boolean> {
  const chosen = readConsent();
  if (chosen?.[kind] === true) return true;
  if (asker === undefined || !(await asker(kind))) return false;
  saveConsent({ ...(readConsent() ?? ALL_REFUSED), [kind]: true });
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
