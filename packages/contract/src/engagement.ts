/** Letters of engagement: the practice's template, and the letter that a client's user signs (docs/decisions/0062-clients-files.md). */
import { LETTER_STATES, listUnknownLetterFields, MAX_LETTER_TEXT_LENGTH } from '@portal/domain/engagement/engagement-letter.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

export const LETTER_FILE_PATH = '/client/engagement-letters/file';

const clientInput = z.extend(companyInput, { client_id: idScalar });
export const letterFileQuery = z.extend(clientInput, { letter_id: idScalar });

const templateText = z.string().check(
  z.trim(),
  z.minLength(1, 'Enter the text of your letter'),
  z.maxLength(MAX_LETTER_TEXT_LENGTH, `Enter a letter of at most ${MAX_LETTER_TEXT_LENGTH.toLocaleString('en-GB')} characters`),
  z.regex(/^[^\0]*$/, 'Enter the letter without control characters'),
  z.refine((text) => listUnknownLetterFields(text).length === 0, {
    error: ({ input }) => `{${listUnknownLetterFields(String(input))[0] ?? ''}} isn’t a field. Remove it, or remove its braces.`,
  }),
);

const letter = z.object({
  letter_id: idScalar,
  state: z.enum(LETTER_STATES),
  text: z.string(),
  digest: z.string(),
  sent_by: z.string(),
  sent_at: instantScalar,
  signed_name: z.nullable(z.string()),
  signed_at: z.nullable(instantScalar),
});
export type EngagementLetter = z.output<typeof letter>;

export const engagementApi = {
  template: endpoint({
    method: 'GET',
    path: '/open-tax/engagement-template',
    access: 'practice.read',
    summary: 'Get the practice’s letter of engagement template; empty if there is none',
    input: companyInput,
    output: z.object({ text: z.string(), updated_by: z.nullable(z.string()), updated_at: z.nullable(instantScalar) }),
  }),
  saveTemplate: endpoint({
    method: 'POST',
    path: '/open-tax/engagement-template',
    access: 'practice.manage',
    summary: 'Save the template. Letters already sent don’t change.',
    input: z.extend(companyInput, { text: templateText }),
    output: doneOutput,
  }),
  list: endpoint({
    method: 'GET',
    path: '/client/engagement-letters',
    access: 'client.papers',
    summary: 'List the client’s letters of engagement, newest first. Client users can see a superseded letter only if it was signed.',
    input: clientInput,
    output: z.object({
      letters: z.array(letter),
      /** The letter as it would be sent now; null without a template, and for the client’s users. */
      draft: z.nullable(z.string()),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/client/engagement-letters',
    access: 'client.invite',
    summary: 'Send the client a letter based on the template. It supersedes the previous letter.',
    input: z.extend(clientInput, { letter_id: idScalar }),
    output: doneOutput,
  }),
  sign: endpoint({
    method: 'POST',
    path: '/client/engagement-letters/sign',
    access: 'client.own',
    summary: 'Sign the letter by typing your name. `digest` identifies the text you have read.',
    input: z.extend(companyInput, {
      letter_id: idScalar,
      digest: z.string().check(z.maxLength(64)),
      full_name: createNameScalar('your full name'),
      agree: z.literal(true, 'Confirm that you agree'),
    }),
    output: doneOutput,
  }),
};
