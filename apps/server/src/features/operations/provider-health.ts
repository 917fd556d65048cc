/**
 * Records the outcomes of our own calls to each provider, across all instances. A failure is a call without a usable response: a network
 * error or timeout, a server error (5xx), throttling (429), or rejected credentials (401 and 403 to the application's own calls look the
 * same as to a user's, so only a series of them indicates a problem).
 */
import { AsyncResource } from 'node:async_hooks';
import type { Database } from '@portal/db/database.ts';
import { providerHealth } from '@portal/db/schema/schema.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { operationsApi } from '@portal/contract/operations.ts';
import type { Clock } from '@portal/domain/clock.ts';
import { sql } from '@portal/db/sql.ts';
import type { VirusScanner } from '@portal/providers/clamd/clamd-client.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { Logger } from 'pino';
import type { AppDeps } from '../../app-deps.ts';
import type { Mailer } from '../../mail/mailer.ts';

/** The providers with the names that operators see. */
const PROVIDERS = {
  hmrc: 'HMRC',
  truelayer: 'TrueLayer (payments)',
  companies_house: 'Companies House',
  identity_check: 'Identity checks',
  gocardless: 'GoCardless (Direct Debit)',
  stripe: 'Stripe (practice payments)',
  mail: 'Email (SMTP)',
  modulr: 'Modulr (account names)',
  screening: 'OpenSanctions (screening)',
  clamd: 'ClamAV (virus scan)',
  pwned_passwords: 'Pwned Passwords (leaked passwords)',
  language_model: 'Language model (rewording)',
  twilio: 'Twilio (text messages)',
  google: 'Google sign-in',
  microsoft: 'Microsoft sign-in',
  xero: 'Xero sign-in',
  intuit: 'Intuit sign-in',
  freeagent: 'FreeAgent sign-in',
} as const;
export type ProviderName = keyof typeof PROVIDERS;

/** Successes are stored at most this often for each provider; failures are always stored. */
const SUCCESS_INTERVAL_MS = 10_000;

export type WatchFetch = (provider: ProviderName, send: typeof fetch) => typeof fetch;

export type HealthRecorder = {
  readonly watch: WatchFetch;
  readonly watchMailer: (mailer: Mailer) => Mailer;
  readonly watchScanner: (scanner: VirusScanner) => VirusScanner;
};

export function createHealthRecorder({ db }: Database, clock: Clock, logger: Logger): HealthRecorder {
  const scope = new AsyncResource('provider health');
  const lastStored = new Map<ProviderName, { at: number; failed: boolean }>();
  const store = (provider: ProviderName, failure: string | undefined): void => {
    const last = lastStored.get(provider);
    const isRecent = last !== undefined && !last.failed && Date.now() - last.at < SUCCESS_INTERVAL_MS;
    if (failure === undefined && isRecent) return;
    lastStored.set(provider, { at: Date.now(), failed: failure !== undefined });
    const at = clock.now();
    const row =
      failure === undefined ? { lastSuccessAt: at, failuresInARow: 0 } : { lastFailureAt: at, lastFailure: failure, failuresInARow: 1 };
    // Never delays or fails the call itself, and never joins the caller's transaction.
    scope.runInAsyncScope(() => {
      db.insert(providerHealth)
        .values({ provider, ...row })
        .onConflictDoUpdate({
          target: providerHealth.provider,
          set: failure === undefined ? row : { ...row, failuresInARow: sql`${providerHealth.failuresInARow} + 1` },
        })
        .catch((error: unknown) => logger.warn({ err: error, provider }, 'health: a provider’s status could not be stored'));
    });
  };
  const watch: WatchFetch = (provider, send) => async (input, init) => {
    const callDescription = describeCall(input, init);
    try {
      const response = await send(input, init);
      const isFailure = response.status >= 500 || [401, 403, 429].includes(response.status);
      store(provider, isFailure ? `${callDescription}: status ${response.status}` : undefined);
      return response;
    } catch (error) {
      store(provider, `${callDescription}: ${describeFailure(error)}`);
      throw error;
    }
  };
  return {
    watch,
    watchMailer: (mailer) => watchMailer(mailer, (failure) => store('mail', failure)),
    watchScanner: (scanner) => watchScanner(scanner, (failure) => store('clamd', failure)),
  };
}

/** Returns the innermost cause's code, such as CERT_HAS_EXPIRED: `fetch` itself only says TypeError. Messages may hold addresses. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.cause instanceof Error) return describeFailure(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function watchMailer(mailer: Mailer, store: (failure: string | undefined) => void): Mailer {
  return {
    send: async (email, id) => {
      try {
        await mailer.send(email, id);
        store(undefined);
      } catch (error) {
        const { code = 'failed', responseCode } = error as { code?: string; responseCode?: number };
        // If an address is rejected, the server is working.
        store(code === 'EENVELOPE' ? undefined : `SMTP: ${responseCode === undefined ? code : `${code}, status ${responseCode}`}`);
        throw error;
      }
    },
    address: mailer.address,
    close: () => mailer.close(),
  };
}

function watchScanner(scanner: VirusScanner, store: (failure: string | undefined) => void): VirusScanner {
  return {
    scan: async (bytes) => {
      try {
        const verdict = await scanner.scan(bytes);
        store(undefined);
        return verdict;
      } catch (error) {
        store(`INSTREAM: ${error instanceof ProviderError ? error.failure : 'failed'}`);
        throw error;
      }
    },
  };
}

/** Returns only the method and host, because paths can contain VAT numbers and accounts. */
function describeCall(input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): string {
  const url = input instanceof Request ? input.url : String(input);
  return `${init?.method ?? (input instanceof Request ? input.method : 'GET')} ${URL.canParse(url) ? new URL(url).host : ''}`.trim();
}

export async function getHealth({ database: { db }, clock }: AppDeps): Promise<EndpointOutput<typeof operationsApi.health>> {
  const rows = await db.select().from(providerHealth);
  return {
    providers: Object.entries(PROVIDERS).map(([provider, name]) => {
      const row = rows.find((row) => row.provider === provider);
      return {
        provider,
        name,
        last_success_at: row?.lastSuccessAt ?? null,
        last_failure_at: row?.lastFailureAt ?? null,
        last_failure: row?.lastFailure ?? null,
        failures_in_a_row: row?.failuresInARow ?? 0,
      };
    }),
    now: clock.now(),
  };
}
