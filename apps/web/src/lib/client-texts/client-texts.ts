/** The client portal's strings in the user's language. So far, English is the only one. */
import { createTexts } from './catalogue.ts';
import { ENGLISH } from './english.ts';

export const { text: clientText, date: clientDate, instant: clientInstant } = createTexts('en-GB', ENGLISH);
