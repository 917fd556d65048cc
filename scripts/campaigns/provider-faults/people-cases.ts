/**
 * The operations about people and companies: external sign-in, text messages, the company register, identity, passwords, rewording, chat.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { CompanyRegister } from '@portal/providers/companies-house/companies-house-port.ts';
import type { ChatIdentification } from '@portal/providers/hubspot/hubspot-port.ts';
import type { IdentityCheck } from '@portal/providers/identity-check/identity-check-port.ts';
import type { LanguageModel } from '@portal/providers/language-model/language-model-port.ts';
import type { SignInCallback, SignInProvider, SignInProviderName, SignInRequest } from '@portal/providers/oidc/sign-in-port.ts';
import type { LeakedPasswords } from '@portal/providers/pwned-passwords/pwned-passwords-client.ts';
import type { E164, PhoneVerification } from '@portal/providers/twilio/twilio-port.ts';
import type { Clients, FaultTestBed } from './bed.ts';
import { read, required, type CasesOf } from './operation-case.ts';

/** Each provider's name for the scope that gives a refresh token; FreeAgent always gives one. */
export const OFFLINE_SCOPES: Readonly<Record<SignInProviderName, readonly string[]>> = {
  google: ['https://www.googleapis.com/auth/gmail.send'],
  microsoft: ['Mail.Send'],
  xero: ['accounting.invoices.read'],
  intuit: ['com.intuit.quickbooks.accounting'],
  freeagent: ['all'],
};

const getSignIn = (name: SignInProviderName, { signIn }: Clients): SignInProvider => required(signIn[name], `sign-in with ${name}`);

function createRequest(extraScopes: readonly string[]): { request: SignInRequest; stored: Omit<SignInCallback, 'params'> } {
  const codeVerifier = randomBytes(32).toString('base64url');
  const secrets = { state: randomBytes(16).toString('hex'), nonce: randomBytes(16).toString('hex'), extraScopes };
  return {
    request: { ...secrets, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') },
    stored: { ...secrets, codeVerifier },
  };
}

/** Signs in at the provider and returns. */
export async function returnFromProvider(
  testBed: FaultTestBed,
  name: SignInProviderName,
  clients: Clients,
  extraScopes: readonly string[] = [],
): Promise<SignInCallback> {
  testBed.portal.identity.seed();
  const { request, stored } = createRequest(extraScopes);
  const url = new URL((await getSignIn(name, clients).authorizeUrl(request)).url);
  url.searchParams.set('sandbox_user', testBed.portal.identity.signIn[name].listPeople()[0]?.email ?? '');
  const response = await fetch(url, { redirect: 'manual' });
  const location = required(response.headers.get('location') ?? undefined, `way back from ${name} (${response.status})`);
  return { ...stored, params: new URL(location).searchParams };
}

export function createSignInCases(name: SignInProviderName): CasesOf<SignInProvider> {
  return {
    provider: 'is its name',
    authorizeUrl:
      name === 'freeagent' || name === 'intuit'
        ? 'builds an address for the browser'
        : read((clients) => getSignIn(name, clients).authorizeUrl(createRequest([]).request), { differsEachTime: true }),
    completeSignIn: {
      effect: 'write',
      worksOnce: true,
      differsEachTime: true,
      prepare: async (testBed, clients) => {
        const callback = await returnFromProvider(testBed, name, clients);
        return (laterClients) => getSignIn(name, laterClients).completeSignIn(callback);
      },
    },
    refresh: {
      effect: 'write',
      worksOnce: true,
      differsEachTime: true,
      prepare: async (testBed, clients) => {
        const { tokens } = await getSignIn(name, clients).completeSignIn(
          await returnFromProvider(testBed, name, clients, OFFLINE_SCOPES[name]),
        );
        const refreshToken = required(tokens?.refreshToken, `refresh token of ${name}`);
        return (laterClients) => getSignIn(name, laterClients).refresh(refreshToken);
      },
    },
  };
}

const generatePhone = (): E164 => `+4477009${randomInt(10_000, 99_999)}` as E164;

export const phoneCases: CasesOf<PhoneVerification> = {
  start: {
    effect: 'write',
    prepare: async () => {
      const phone = generatePhone();
      return ({ phones }) => required(phones, 'Twilio').start({ phone });
    },
  },
  check: {
    effect: 'write',
    worksOnce: true,
    differsEachTime: true,
    prepare: async ({ portal }, { phones }) => {
      const phone = generatePhone();
      await required(phones, 'Twilio').start({ phone });
      const code = required(portal.identity.texts.listMessages(phone)[0]?.code, 'text message');
      return (laterClients) => required(laterClients.phones, 'Twilio').check({ phone, code });
    },
  },
};

/** The test traders' company (test-trader.ts). */
const register = ({ companyRegister }: Clients): CompanyRegister => required(companyRegister, 'Companies House');

export const registerCases: CasesOf<CompanyRegister> = {
  searchCompanies: read((clients) => register(clients).searchCompanies({ query: 'Tess Exports', limit: 5 })),
  findCompany: read((clients, { trader }) => register(clients).findCompany(trader.companyNumber), { differsEachTime: true }),
  listOfficers: read((clients, { trader }) => register(clients).listOfficers(trader.companyNumber)),
  listControllers: read((clients, { trader }) => register(clients).listControllers(trader.companyNumber)),
};

const getIdentityCheck = ({ identityCheck }: Clients): IdentityCheck => required(identityCheck, 'identity check');
let reference = '';

const createCheck = () => {
  reference = randomUUID();
  return { reference, fullName: 'Tess Trader', email: 'tess@trader.example', returnUrl: 'http://localhost/portal/back' };
};

export const identityCases: CasesOf<IdentityCheck> = {
  startCheck: {
    effect: 'write',
    prepare: async () => {
      const check = createCheck();
      return (clients) => getIdentityCheck(clients).startCheck(check);
    },
    countEffects: ({ portal }) => portal.identity.checks.listChecks().filter((check) => check.reference === reference).length,
  },
  findCheck: {
    effect: 'read',
    prepare: async (_bed, clients) => {
      const { checkId } = await getIdentityCheck(clients).startCheck(createCheck());
      return (laterClients) => getIdentityCheck(laterClients).findCheck(checkId);
    },
  },
  verifyWebhook: 'checks a signature that is already here',
};

export const passwordCases: CasesOf<LeakedPasswords> = {
  countLeaks: read(({ leakedPasswords }) => required(leakedPasswords, 'Pwned Passwords').countLeaks('password1')),
};

const getLanguageModel = ({ languageModel }: Clients): LanguageModel => required(languageModel, 'language model');

export const languageModelCases: CasesOf<LanguageModel> = {
  rewrite: read((clients) =>
    getLanguageModel(clients).rewrite({ instruction: 'Reword this.', text: 'Hello, please write to us.', maxTokens: 100 }),
  ),
  hasModel: read((clients) => getLanguageModel(clients).hasModel()),
};

export const chatCases: CasesOf<ChatIdentification> = {
  createVisitorToken: read(({ chat }) => chat.createVisitorToken({ email: 'tess@trader.example' }), { differsEachTime: true }),
};
