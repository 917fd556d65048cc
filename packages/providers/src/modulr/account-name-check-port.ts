/** Confirmation of Payee as the portal uses it: checks whether an account belongs to a name. Implemented by `modulr-client.ts`. */
import type { NameCheckResult } from '@portal/domain/advances/name-check-results.ts';

export type AccountNameCheckRequest = { readonly name: string; readonly sortCode: string; readonly accountNumber: string };

/**
 * `unavailable`: the account's bank didn't respond or doesn't take part. `name`: the account name at the bank, disclosed only for a close
 * match. `reason`: the provider's code.
 */
export type AccountNameCheckResult = {
  readonly checkId: string;
  readonly result: NameCheckResult;
  readonly name?: string;
  readonly reason: string;
};

/** A check doesn't change anything, so it may be retried. Failures are ProviderErrors. */
export type AccountNameCheck = {
  checkBusinessAccount(request: AccountNameCheckRequest): Promise<AccountNameCheckResult>;
};
