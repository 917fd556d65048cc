/** The portal's settings for these providers, with the simulators' URLs and test credentials. */
import { TOKEN_PATHS } from '@portal/providers/hubspot/hubspot-wire.ts';
import { SANDBOX_HUBSPOT } from './hubspot/sandbox-credentials.ts';
import { SANDBOX_COMPANIES_HOUSE } from './companies-house/sandbox-credentials.ts';
import { SANDBOX_FREEAGENT, SANDBOX_FREEAGENT_PRACTICE } from './freeagent/freeagent-simulator.ts';
import { SANDBOX_GOCARDLESS } from './gocardless/sandbox-credentials.ts';
import { SANDBOX_GOOGLE } from './google/google-simulator.ts';
import { SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET } from './hmrc/hmrc-context.ts';
import { SANDBOX_IDENTITY_CHECK } from './identity-check/sandbox-credentials.ts';
import { SANDBOX_INTUIT } from './intuit/intuit-simulator.ts';
import { SANDBOX_LANGUAGE_MODEL } from './language-model/sandbox-credentials.ts';
import { SANDBOX_MICROSOFT } from './microsoft/microsoft-simulator.ts';
import { REPORT_PORT_OFFSET, SANDBOX_BOUNCE_DOMAIN } from './mail/send-reports.ts';
import { SANDBOX_MODULR } from './modulr/sandbox-credentials.ts';
import { SANDBOX_SCREENING } from './screening/sandbox-credentials.ts';
import { SANDBOX_SELLER, SANDBOX_STRIPE } from './stripe/sandbox-credentials.ts';
import { SANDBOX_TRUELAYER, type SandboxSigningKey } from './truelayer/sandbox-credentials.ts';
import { SANDBOX_TWILIO } from './twilio/sandbox-credentials.ts';
import { SANDBOX_XERO } from './xero/xero-simulator.ts';

type ProviderAddresses = {
  /** Base URL of the simulators, without a trailing slash. */
  readonly url: string;
  readonly smtpPort: number;
  readonly signingKey: SandboxSigningKey;
};

/** An IP address reserved for documentation (RFC 5737). Only the HMRC simulator receives it. */
const VENDOR_IP = '203.0.113.6';

export function createProviderSettings({ url, smtpPort, signingKey }: ProviderAddresses): Record<string, string> {
  return {
    HMRC_API_URL: `${url}/hmrc`,
    HMRC_WWW_URL: `${url}/hmrc-www`,
    HMRC_CLIENT_ID: SANDBOX_CLIENT_ID,
    HMRC_CLIENT_SECRET: SANDBOX_CLIENT_SECRET,
    TRUELAYER_AUTH_URL: `${url}/truelayer`,
    TRUELAYER_API_URL: `${url}/truelayer`,
    TRUELAYER_CLIENT_ID: SANDBOX_TRUELAYER.clientId,
    TRUELAYER_CLIENT_SECRET: SANDBOX_TRUELAYER.clientSecret,
    TRUELAYER_MERCHANT_ACCOUNT_ID: SANDBOX_TRUELAYER.merchantAccountId,
    TRUELAYER_SIGNING_KID: signingKey.kid,
    TRUELAYER_SIGNING_PRIVATE_KEY: signingKey.privateKeyPem,
    TRUELAYER_WEBHOOK_JKU: `${url}/truelayer/.well-known/jwks`,
    SMTP_URL: `smtp://localhost:${smtpPort}`,
    BOUNCE_DOMAIN: SANDBOX_BOUNCE_DOMAIN,
    BOUNCE_PORT: String(smtpPort + REPORT_PORT_OFFSET),
    CLAMD_URL: `tcp://localhost:${smtpPort + 1}`,
    TRUST_PROXY: 'loopback',
    VENDOR_PUBLIC_IP: VENDOR_IP,
    ...signIn('GOOGLE', SANDBOX_GOOGLE, `${url}/google`),
    ...signIn('MICROSOFT', SANDBOX_MICROSOFT, `${url}/microsoft`),
    ...signIn('XERO', SANDBOX_XERO, `${url}/xero`),
    ...signIn('INTUIT', SANDBOX_INTUIT, `${url}/intuit`),
    XERO_WEBHOOK_KEY: SANDBOX_XERO.webhookKey,
    INTUIT_WEBHOOK_KEY: SANDBOX_INTUIT.webhookKey,
    ...signIn('FREEAGENT', SANDBOX_FREEAGENT, `${url}/freeagent`),
    ...signIn('FREEAGENT_PRACTICE', SANDBOX_FREEAGENT_PRACTICE, `${url}/freeagent-practice`),
    TWILIO_API_URL: `${url}/twilio`,
    TWILIO_ACCOUNT_SID: SANDBOX_TWILIO.accountSid,
    TWILIO_AUTH_TOKEN: SANDBOX_TWILIO.authToken,
    TWILIO_VERIFY_SERVICE_SID: SANDBOX_TWILIO.serviceSid,
    COMPANIES_HOUSE_API_URL: `${url}/companies-house`,
    COMPANIES_HOUSE_API_KEY: SANDBOX_COMPANIES_HOUSE.apiKey,
    IDENTITY_CHECK_API_URL: `${url}/identity-check`,
    IDENTITY_CHECK_API_KEY: SANDBOX_IDENTITY_CHECK.apiKey,
    IDENTITY_CHECK_WEBHOOK_SECRETS: SANDBOX_IDENTITY_CHECK.webhookSecret,
    GOCARDLESS_API_URL: `${url}/gocardless`,
    GOCARDLESS_ACCESS_TOKEN: SANDBOX_GOCARDLESS.accessToken,
    GOCARDLESS_WEBHOOK_SECRETS: SANDBOX_GOCARDLESS.webhookSecret,
    STRIPE_API_URL: `${url}/stripe`,
    STRIPE_SECRET_KEY: SANDBOX_STRIPE.secretKey,
    STRIPE_WEBHOOK_SECRETS: SANDBOX_STRIPE.webhookSecret,
    INVOICE_SELLER_NAME: SANDBOX_SELLER.name,
    INVOICE_SELLER_ADDRESS: SANDBOX_SELLER.address,
    INVOICE_SELLER_VAT_NUMBER: SANDBOX_SELLER.vatNumber,
    MODULR_API_URL: `${url}/modulr`,
    MODULR_KEY_ID: SANDBOX_MODULR.keyId,
    MODULR_SECRET: SANDBOX_MODULR.secret,
    MODULR_PAYMENT_ACCOUNT_ID: SANDBOX_MODULR.paymentAccountId,
    SCREENING_API_URL: `${url}/opensanctions`,
    SCREENING_API_KEY: SANDBOX_SCREENING.apiKey,
    SCREENING_DATASET: SANDBOX_SCREENING.dataset,
    PWNED_PASSWORDS_URL: `${url}/pwned-passwords`,
    LANGUAGE_MODEL_URL: `${url}/language-model/v1`,
    LANGUAGE_MODEL_KEY: SANDBOX_LANGUAGE_MODEL.apiKey,
    LANGUAGE_MODEL_NAME: SANDBOX_LANGUAGE_MODEL.model,
    HUBSPOT_API_URL: `${url}/hubspot`,
    HUBSPOT_LOADER_URL: `${url}/hubspot`,
    HUBSPOT_TOKEN_PATH: TOKEN_PATHS[0],
    HUBSPOT_HUB_ID: SANDBOX_HUBSPOT.hubId,
    HUBSPOT_ACCESS_TOKEN: SANDBOX_HUBSPOT.accessToken,
  };
}

function signIn(name: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }, url: string): Record<string, string> {
  return {
    [`${name}_CLIENT_ID`]: clientId,
    [`${name}_CLIENT_SECRET`]: clientSecret,
    [`${name}_BROWSER_URL`]: url,
    [`${name}_SERVER_URL`]: url,
  };
}
