/** Confirmation of Payee as the portal uses it: does this account belong to this name? Implemented by `modulr-client.ts`. */

export type AccountNameCheckRequest = { readonly name: string; readonly sortCode: string; readonly accountNumber: string };

/**
 * `unavailable`: the account's bank didn't answer or doesn't take part. `name`: the name that the bank has, which it gives only for a close
 * match. `reason`: the provider's code.
 */
export type AccountNameCheckAnswer = {
  readonly checkId: string;
  readonly result: 'match' | 'close_match' | 'no_match' | 'unavailable';
  readonly name?: string;
  readonly reason: string;
};

/** A check changes nothing, so it may be repeated. Failures are ProviderErrors. */
export type AccountNameCheck = {
  checkBusinessAccount(request: AccountNameCheckRequest): Promise<AccountNameCheckAnswer>;
};
