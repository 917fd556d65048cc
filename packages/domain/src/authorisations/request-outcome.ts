/** The results of creating authorisation requests for many clients. */

/** `created` and `pending` have a link for the client; `authorised` needs none. The others name what is missing. */
export const REQUEST_OUTCOMES = [
  'created',
  'pending',
  'authorised',
  'no_reference',
  'no_fact',
  'wrong_fact',
  'insolvent',
  'refused',
  'failed',
] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];
