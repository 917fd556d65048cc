/**
 * Every client in packages/providers/src by file, and every operation with its case. all-cases.test.ts compares the list with the files.
 */
import type { SignInProviderName } from '@portal/providers/oidc/sign-in-port.ts';
import { agentCases, hmrcCases, penaltiesCases, selfAssessmentCases } from './hmrc-cases.ts';
import { billingCases } from './billing-cases.ts';
import { createMailCases } from './mail-cases.ts';
import { accountNameCases, directDebitCases, paymentsCases, screeningCases } from './money-cases.ts';
import type { ClientCases } from './operation-case.ts';
import {
  chatCases,
  createSignInCases,
  identityCases,
  languageModelCases,
  passwordCases,
  phoneCases,
  registerCases,
} from './people-cases.ts';

const signIn = (name: SignInProviderName): ClientCases => ({ cases: createSignInCases(name), get: (clients) => clients.signIn[name] });

export const ALL_CLIENTS: Readonly<Record<string, ClientCases>> = {
  'companies-house/companies-house-client.ts': { cases: registerCases, get: ({ companyRegister }) => companyRegister },
  'freeagent/freeagent-client.ts': signIn('freeagent'),
  'gocardless/gocardless-client.ts': { cases: directDebitCases, get: ({ directDebits }) => directDebits },
  'google/gmail-client.ts': { cases: createMailCases('gmail'), get: ({ mailboxes }) => mailboxes.gmail?.sender },
  'google/google-client.ts': signIn('google'),
  'hmrc-agent/agent-authorisation-client.ts': { cases: agentCases, get: ({ hmrcAgent }) => hmrcAgent },
  'hmrc-agent/self-assessment-client.ts': { cases: selfAssessmentCases, get: ({ hmrcRuns }) => hmrcRuns.sa },
  'hmrc-agent/vat-penalties-client.ts': { cases: penaltiesCases, get: ({ hmrcRuns: { vat } }) => ({ listPenalties: vat.listPenalties }) },
  'hmrc/hmrc-client.ts': { cases: hmrcCases, get: ({ hmrc }) => hmrc },
  'hubspot/hubspot-client.ts': { cases: chatCases, get: ({ chat }) => chat },
  'identity-check/identity-check-client.ts': { cases: identityCases, get: ({ identityCheck }) => identityCheck },
  'intuit/intuit-client.ts': signIn('intuit'),
  'language-model/language-model-client.ts': {
    cases: languageModelCases,
    get: ({ languageModel: model }) => model && { rewrite: model.rewrite, hasModel: model.hasModel },
  },
  'microsoft/graph-mail-client.ts': { cases: createMailCases('outlook'), get: ({ mailboxes }) => mailboxes.outlook?.sender },
  'microsoft/microsoft-client.ts': signIn('microsoft'),
  'modulr/modulr-client.ts': { cases: accountNameCases, get: ({ accountNameCheck }) => accountNameCheck },
  'pwned-passwords/pwned-passwords-client.ts': { cases: passwordCases, get: ({ leakedPasswords }) => leakedPasswords },
  'screening/screening-client.ts': { cases: screeningCases, get: ({ screening }) => screening },
  'stripe/stripe-client.ts': { cases: billingCases, get: ({ billing }) => billing?.provider },
  'truelayer/truelayer-client.ts': { cases: paymentsCases, get: ({ payments }) => payments },
  'twilio/twilio-client.ts': { cases: phoneCases, get: ({ phones }) => phones },
  'xero/xero-client.ts': signIn('xero'),
};

const NOT_IN_PORTAL = 'only the command `npm run boxes` reads with it until companies can connect their books';

/** Client files without cases, each with the reason. */
export const NOT_CALLED: Readonly<Record<string, string>> = {
  'clamd/clamd-client.ts': 'speaks its own protocol over TCP, which the proxy of this campaign can’t break; its conformance test does',
  'freeagent/freeagent-books-client.ts': NOT_IN_PORTAL,
  'intuit/quickbooks-books-client.ts': NOT_IN_PORTAL,
  'xero/xero-books-client.ts': NOT_IN_PORTAL,
  'hmrc-agent/epaye-client.ts': 'nothing uses it until HMRC confirms that new applications get access',
};
