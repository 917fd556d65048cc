/** The client portal's texts in the user's language. English is the only one so far. */
import { createTexts } from './catalogue.ts';
import { ENGLISH } from './english.ts';

export const { text: clientText, date: clientDate, instant: clientInstant } = createTexts('en-GB', ENGLISH);
