/** Values of the client-list filters that other screens link to. */
import { REQUEST_OUTCOMES, SKIP_REASONS } from '@portal/domain/authorisations/request-outcome.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod/mini';
import { idScalar } from './scalars.ts';

/** Why clients weren't refreshed, and the outcomes of a refresh. */
export const REFRESH_FILTERS = [
  'failed',
  'waiting',
  'without_nino',
  'run',
  'run_done',
  'run_failed',
  'run_not_authorised',
  'run_queued',
] as const;

/**
 * Actions that the list can be filtered by: a bulk change and the result of undoing it, a statement, or a run of authorisation requests
 * (either all its clients or by result).
 */
export const ACTION_KINDS = [
  'change',
  'change_restored',
  'change_kept',
  'statement',
  'statement_updated',
  'requests',
  ...REQUEST_OUTCOMES.map((outcome) => `requests_${outcome}` as const),
] as const;
type ActionKind = (typeof ACTION_KINDS)[number];

/** Splits "change:ID" into its parts. */
export function toActionFilter(action: string): { readonly kind: ActionKind; readonly id: string } {
  const [name, id = ''] = action.split(':');
  return { kind: ACTION_KINDS.find((kind) => kind === name) ?? 'change', id };
}

/** "KIND:ID". */
export const actionFilter = z
  .string()
  .check(
    z.refine(
      (text) => ACTION_KINDS.some((kind) => text.startsWith(`${kind}:`)) && idScalar.safeParse(text.split(':')[1]).success,
      'badly formed',
    ),
  );

/** A client's outcome in the preview of authorisation requests, as `TAX:ready` or `TAX:REASON`. */
export const REQUEST_PLANS = AGENT_TAXES.flatMap((tax) => (['ready', ...SKIP_REASONS] as const).map((plan) => `${tax}:${plan}` as const));
export type RequestPlanFilter = (typeof REQUEST_PLANS)[number];
