import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '@portal/providers/http/provider-error.ts';
import { expect, it } from 'vitest';
import { explainFailure } from './explain-failure.ts';

type FailureCase = readonly [ProviderFailure, Omit<ProviderErrorFacts, 'provider' | 'operation'>];

it.each<readonly [...FailureCase, string]>([
  ['refused', { status: 403, code: 'CLIENT_OR_AGENT_NOT_AUTHORISED' }, 'not_authorised'],
  ['refused', { status: 403, code: 'RULE_INSOLVENT_TRADER' }, 'insolvent'],
  ['refused', { status: 400, code: 'RULE_OF_TOMORROW' }, 'refused'],
  // A user cannot act on a rejection without a code, so it is retried.
  ['refused', { status: 403 }, 'malformed_answer'],
  ['unavailable', { status: 200 }, 'malformed_answer'],
  ['unavailable', { status: 503 }, 'hmrc_unavailable'],
  ['throttled', { status: 429, code: 'MESSAGE_THROTTLED_OUT' }, 'rate_limited'],
])('the HMRC response %s %o is reported as %s', (failure, facts, reason) => {
  expect(explainFailure(new ProviderError(failure, { provider: 'hmrc', operation: 'hmrc.obligations', ...facts }), false)).toBe(reason);
});
