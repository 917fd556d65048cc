/** The texts of the clients' portal in the language that the person reads: English, the only one there is. */
import { createTexts } from './catalogue.ts';
import { ENGLISH } from './english.ts';

export const { text: clientText, date: clientDate, instant: clientInstant } = createTexts('en-GB', ENGLISH);
