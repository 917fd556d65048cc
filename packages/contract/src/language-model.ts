/** Rewording drafts with a language model, and a practice's consent to send drafts to it. See docs/decisions/0074-rewording.md. */
import { REWORDING_PROBLEMS } from '@portal/domain/language-model/check-rewording.ts';
import { REWORDING_STATES } from '@portal/domain/language-model/rewording-request.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

const problem = z.object({ problem: z.enum([...REWORDING_PROBLEMS, 'no_answer']), text: z.string(), words: z.array(z.string()) });

const rewording = z.object({
  call_id: idScalar,
  state: z.enum(REWORDING_STATES),
  /** Both versions as the recipient would see them, with the fields filled in. */
  original: z.string(),
  /** Null if the rewording must not be offered; `problems` then says why. */
  reworded: z.nullable(z.string()),
  problems: z.array(problem),
  model: z.string(),
});
export type Rewording = z.output<typeof rewording>;

const status = z.object({
  /** The host and model configured for this portal; null if none is. */
  endpoint: z.nullable(z.object({ host: z.string(), model: z.string() })),
  /** The version and sentences of the terms that an admin agrees to. */
  version: z.int(),
  terms: z.array(z.string()),
  /** Whether drafts may currently be sent. */
  is_agreed: z.boolean(),
  /** The stored agreement. An agreement to an earlier version, or for another host, is no longer valid. */
  agreement: z.nullable(z.object({ version: z.int(), host: z.string(), agreed_by: z.string(), agreed_at: instantScalar })),
  per_day: z.int(),
  sent_today: z.int(),
  may_manage: z.boolean(),
});
export type LanguageModelStatus = z.output<typeof status>;

const call = z.object({
  call_id: idScalar,
  asked_at: instantScalar,
  asked_by: z.string(),
  /** Null once the client is deleted. */
  client: z.nullable(z.object({ client_id: idScalar, name: z.string() })),
  /** The subject of the draft; null once it has been deleted. */
  title: z.nullable(z.string()),
  host: z.string(),
  model: z.string(),
  sent_text: z.string(),
  received_text: z.nullable(z.string()),
  state: z.enum(REWORDING_STATES),
  problems: z.array(problem),
  chosen_by: z.nullable(z.string()),
});
export type LanguageModelCall = z.output<typeof call>;

export const languageModelApi = {
  status: endpoint({
    method: 'GET',
    path: '/open-tax/language-model',
    access: 'practice.read',
    summary: 'Get whether a language model may reword drafts, its host, and what is sent to it',
    input: companyInput,
    output: status,
  }),
  agree: endpoint({
    method: 'POST',
    path: '/open-tax/language-model',
    access: 'practice.manage',
    summary:
      'Agree to drafts being sent to the host shown, or withdraw that agreement. To agree, the user must have confirmed their identity in the last ten minutes.',
    input: z.extend(companyInput, { is_agreed: z.boolean(), version: z.int(), host: z.string().check(z.maxLength(300)) }),
    output: status,
  }),
  calls: endpoint({
    method: 'GET',
    path: '/open-tax/language-model/calls',
    access: 'practice.manage',
    summary: 'List what was sent to a language model, what it returned and the outcome, newest first, one page at a time',
    input: z.extend(companyInput, {
      cursor: z.optional(z.string().check(z.maxLength(200))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    output: z.object({ calls: z.array(call), next_cursor: z.nullable(z.string()) }),
  }),
  reword: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/reword',
    access: 'practice.work',
    summary:
      'Send a draft’s text, without its facts, to the language model and return a rewording if it passes the checks. The caller chooses the call’s ID, so a repeated request isn’t sent again.',
    input: z.extend(companyInput, { call_id: idScalar, proposal_id: idScalar, version: z.int() }),
    output: rewording,
    needsPerson: true,
    maxPerPerson: 40,
    runsOneAtATime: true,
  }),
  choose: endpoint({
    method: 'POST',
    path: '/open-tax/agent-proposals/choose-wording',
    access: 'practice.work',
    summary:
      'Use a suggested rewording as the draft’s text, or keep the original. Returns 409 agent.changed_since if the draft has changed.',
    input: z.extend(companyInput, { call_id: idScalar, uses_rewording: z.boolean() }),
    output: doneOutput,
    needsPerson: true,
  }),
};
