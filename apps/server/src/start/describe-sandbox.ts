import type { StartSettings } from '../settings.ts';

/** Everyday names of simulated services. Providers of sign-in and verification are listed under their own names. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  hmrc: 'HMRC',
  bank: 'the bank',
  mail: 'email',
  companies_house: 'Companies House',
  identity: 'identity checks',
  modulr: 'account name checks',
  screening: 'screening',
  gocardless: 'Direct Debit',
  stripe: 'practice payments',
  twilio: 'text messages',
  language_model: 'the language model',
};

/** Returns the banner text that says what is simulated; empty if nothing is. */
export function describeSandbox({ sandbox, simulatedProviders }: Pick<StartSettings, 'sandbox' | 'simulatedProviders'>): string {
  if (simulatedProviders.length > 0) {
    const names = new Intl.ListFormat('en-GB').format(simulatedProviders.map((name) => PROVIDER_NAMES[name] ?? name));
    return `Test system. Simulated: ${names}. Everything else is real.`;
  }
  const isSimulated = sandbox.hmrc || sandbox.truelayer || sandbox.mail;
  return isSimulated ? 'Sandbox: no real money moves and nothing is sent to HMRC.' : '';
}
