/** Calls each configured provider once, without changing anything there. Simulators that the portal starts itself aren't called. */
import { addMilliseconds, systemClock } from '@portal/domain/clock.ts';
import { createGoCardlessClient } from '@portal/providers/gocardless/gocardless-client.ts';
import { createClamdClient } from '@portal/providers/clamd/clamd-client.ts';
import { createHubspotClient } from '@portal/providers/hubspot/hubspot-client.ts';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { SignInProvider } from '@portal/providers/oidc/sign-in-port.ts';
import { createTrueLayerClient } from '@portal/providers/truelayer/truelayer-client.ts';
import { createStripeClient } from '@portal/providers/stripe/stripe-client.ts';
import type { E164 } from '@portal/providers/twilio/twilio-port.ts';
import { randomUUID } from 'node:crypto';
import { resolveMx, resolveTxt } from 'node:dns/promises';
import type { SimulatedProviders } from '../check-settings.ts';
import { checkMailServer } from '../mail/mailer.ts';
import { toBilling, toGoCardless, toHmrc, toIdentity, toTrueLayer } from '../provider-settings.ts';
import type { SettingValues } from '../setting-values.ts';
import { createIdentityClients } from '../start/identity-clients.ts';
import { toChatSettings } from '../visitor-settings.ts';

/** `fix` says how to fix a failed check. */
export type DoctorCheck = { readonly name: string; readonly run: () => Promise<string>; readonly fix: string };

/** A VAT number from HMRC's sandbox. In production, HMRC doesn't find it, which proves the connection just as well. */
const VAT_NUMBER = '553557881';
/** Ofcom reserves this number for drama, so it belongs to no real person. */
const TEST_PHONE = '+447700900123' as E164;
const HOUR_MS = 3_600_000;

export function listProviderChecks(values: SettingValues, simulatedProviders: SimulatedProviders): DoctorCheck[] {
  const checks = [...listMainChecks(values, simulatedProviders), ...listIdentityChecks(values)];
  return checks.filter((entry) => entry !== undefined);
}

function listMainChecks(values: SettingValues, simulatedProviders: SimulatedProviders): (DoctorCheck | undefined)[] {
  const clock = systemClock;
  const [from, to] = [addMilliseconds(clock.now(), -HOUR_MS), clock.now()];
  const goCardless = toGoCardless(values);
  const billing = toBilling(values);
  return [
    simulatedProviders.hmrc
      ? undefined
      : createCheck(
          'HMRC',
          'HMRC_CLIENT_ID and HMRC_CLIENT_SECRET, and that the application is subscribed to “Check a UK VAT number”',
          async () => {
            const { apiUrl, wwwUrl, ...credentials } = toHmrc(values);
            const hmrc = {
              ...credentials,
              apiUrl,
              authorizeUrl: `${wwwUrl}/oauth/authorize`,
              fetch,
              clock,
              redirectUri: values.PUBLIC_URL,
            };
            await createHmrcClient(hmrc).lookupVatNumber(VAT_NUMBER);
            return 'accepts the application';
          },
        ),
    simulatedProviders.truelayer
      ? undefined
      : createCheck('TrueLayer', 'the settings that start with TRUELAYER_', async () => {
          const client = createTrueLayerClient({ ...toTrueLayer(values), fetch, clock });
          await client.listPayouts({ from, to });
          await client.checkSignature().catch((error: Error) => {
            throw new Error(
              `it refuses our signature (${error.message}). Upload the public key of TRUELAYER_SIGNING_PRIVATE_KEY there, and set its TRUELAYER_SIGNING_KID`,
            );
          });
          return 'returns the merchant account’s transactions and accepts our signature';
        }),
    simulatedProviders.mail
      ? undefined
      : createCheck('the mail server', 'SMTP_URL', async () => {
          await checkMailServer(values.SMTP_URL ?? '');
          return 'accepts the connection and password';
        }),
    values.BOUNCE_DOMAIN === undefined ? undefined : checkReportDomain(values.BOUNCE_DOMAIN),
    goCardless &&
      createCheck('GoCardless', 'GOCARDLESS_ACCESS_TOKEN', async () => {
        await createGoCardlessClient({ ...goCardless, fetch }).listPayouts(from);
        return 'returns the payouts';
      }),
    billing &&
      createCheck('Stripe', 'STRIPE_SECRET_KEY', async () => {
        await createStripeClient({ ...billing.stripe, fetch }).listPayouts(from, to);
        return 'returns the payouts';
      }),
  ];
}

/** The harmless test file of the European Institute for Computer Antivirus Research (eicar.org). */
const EICAR_TEST_FILE = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

function checkScanner(url: string): DoctorCheck {
  return createCheck('ClamAV', 'CLAMD_URL', async () => {
    const verdict = await createClamdClient({ url }).scan(Buffer.from(EICAR_TEST_FILE));
    if (!verdict.isInfected) throw new Error('it doesn’t find the EICAR test file: its signatures are missing');
    return 'finds the EICAR test file';
  });
}

function listIdentityChecks(values: SettingValues): (DoctorCheck | undefined)[] {
  const { signIn, phones, companyRegister, identityCheck, accountNameCheck, screening, leakedPasswords, languageModel } =
    createIdentityClients({
      settings: toIdentity(values),
      publicUrl: values.PUBLIC_URL,
      brand: values.BRAND_NAME,
      clock: systemClock,
      watch: (_provider, call) => call,
    });
  const chat = toChatSettings(values);
  const clamd = values.CLAMD_URL;
  return [
    companyRegister &&
      createCheck('Companies House', 'COMPANIES_HOUSE_API_KEY', async () => {
        await companyRegister.searchCompanies({ query: 'limited', limit: 1 });
        return 'responds to a search';
      }),
    screening &&
      createCheck('screening', 'SCREENING_API_KEY and SCREENING_DATASET', async () => {
        await screening.screen([{ kind: 'company', name: 'Portal doctor test query' }]);
        return 'responds to a query';
      }),
    leakedPasswords &&
      createCheck('Pwned Passwords', 'PWNED_PASSWORDS_URL', async () => {
        const count = await leakedPasswords.countLeaks('password');
        if (count === 0) throw new Error('it doesn’t know the best-known leaked password');
        return 'responds to a query';
      }),
    languageModel &&
      createCheck('the language model', 'LANGUAGE_MODEL_URL, LANGUAGE_MODEL_KEY and LANGUAGE_MODEL_NAME', async () => {
        if (!(await languageModel.hasModel())) throw new Error(`it has no model “${languageModel.model}”`);
        return 'accepts the key and has the model; no text was sent';
      }),
    clamd === undefined ? undefined : checkScanner(clamd),
    identityCheck &&
      createCheck('the identity provider', 'IDENTITY_CHECK_API_URL and IDENTITY_CHECK_API_KEY', async () => {
        await identityCheck.findCheck(randomUUID());
        return 'accepts the key';
      }),
    accountNameCheck &&
      createCheck('Modulr', 'MODULR_KEY_ID, MODULR_SECRET and MODULR_PAYMENT_ACCOUNT_ID', () =>
        describeUnlessKeyRejected(async () => {
          await accountNameCheck.checkBusinessAccount({ name: 'Portal doctor', sortCode: '000000', accountNumber: '00000000' });
          return 'accepts the key';
        }),
      ),
    phones &&
      createCheck('Twilio', 'the settings that start with TWILIO_', async () => {
        await phones.check({ phone: TEST_PHONE, code: '000000' });
        return 'accepts the account; no message was sent';
      }),
    chat &&
      createCheck('HubSpot', 'HUBSPOT_ACCESS_TOKEN', async () => {
        await createHubspotClient({ ...chat, fetch, clock: systemClock }).createVisitorToken({ email: values.CONTACT_EMAIL });
        return 'accepts the token';
      }),
    ...Object.entries(signIn).map(([name, provider]) => createCheck(`sign-in with ${name}`, 'its URL', () => openSignIn(provider))),
  ];
}

function createCheck(name: string, settings: string, run: () => Promise<string>): DoctorCheck {
  return { name, run, fix: `Check ${settings}, and that this computer can reach the provider.` };
}

/** Treats status 400 as success: the provider has accepted the key if it rejects the request's content. */
async function describeUnlessKeyRejected(call: () => Promise<string>): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderError && error.facts.status === 400) return 'accepts the key';
    throw error;
  }
}

/** Signing in needs a user, so the client ID and secret can't be checked. Reads the provider's published metadata instead, if any. */
async function openSignIn(provider: SignInProvider): Promise<string> {
  await provider.authorizeUrl({ state: randomUUID(), nonce: randomUUID() });
  return 'is set up; sign in once to check the client ID and secret';
}

/** Checks only the DNS records. Only the first report shows whether the mail server relays to our port. */
function checkReportDomain(domain: string): DoctorCheck {
  return createCheck('the bounce domain', 'the MX and SPF records of BOUNCE_DOMAIN', async () => {
    if ((await resolveMx(domain)).length === 0) throw new Error(`${domain} has no MX record`);
    const txtRecords = (await resolveTxt(domain)).map((parts) => parts.join(''));
    if (!txtRecords.some((text) => /^v=spf1( |$)/i.test(text))) throw new Error(`${domain} has no SPF record`);
    return 'has MX and SPF records';
  });
}
