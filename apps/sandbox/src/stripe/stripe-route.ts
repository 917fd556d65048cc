/** Defines the simulator's routes and how they read parameters. */
import type { Json } from './stripe-responses.ts';
import { createInvalidError } from './stripe-error.ts';
import { readParam, type Params } from './stripe-form.ts';
import type { StripeRecords } from './stripe-records.ts';

export type StripeResponse = { readonly status: number; readonly body: Json };
export type StripeCall = { readonly params: Params; readonly id: string; readonly records: StripeRecords; readonly publicUrl: string };
export type StripeRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly operation:
    | 'stripe.read'
    | 'stripe.write'
    | 'stripe.create_subscription'
    | 'stripe.change_subscription'
    | 'stripe.mark_uncollectible'
    | 'stripe.refund';
  readonly answer: (call: StripeCall) => StripeResponse;
};

export const toOkResponse = (body: Json): StripeResponse => ({ status: 200, body });

export function requireParam(params: Params, name: string): string {
  const value = readParam(params, name);
  if (value === undefined) throw createInvalidError(name, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

export function requireInteger(params: Params, name: string): number {
  const value = requireParam(params, name);
  if (!/^-?\d+$/.test(value)) throw createInvalidError(name, `Invalid integer: ${value}`, 'parameter_invalid_integer');
  return Number(value);
}
