import { clients } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type { CallOptions } from '@portal/providers/http/rate-limit-fetch.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import {
  toFraudHeaders,
  withAgentAccessToken,
  withTraderAccessToken,
  type ActingUser,
} from '../hmrc-connection/with-trader-access-token.ts';
import type { Taxpayer } from './taxpayer.ts';

export const NO_VAT_NUMBER_CODE = 'return.no_vat_number';

export const createNoVatNumberError = () =>
  new AppError('conflict', NO_VAT_NUMBER_CODE, 'We don’t know this client’s VAT number. Enter it in the client’s details.');

/** Uses a trader's own connection or, for a client, the practice's connection as its agent. The fraud prevention headers are the user's. */
export async function withTaxpayerAccessToken<Result>(
  deps: AppDeps,
  { companyId, practiceId }: Taxpayer,
  user: ActingUser,
  work: (call: HmrcCall, vrn: string) => Promise<Result>,
  options: CallOptions = {},
): Promise<Result> {
  if (practiceId === null) return withTraderAccessToken(deps, companyId, user, work, options);
  const [client] = await deps.database.db
    .select({ vrn: clients.vrn })
    .from(clients)
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, companyId)));
  const vrn = client?.vrn;
  if (!vrn) throw createNoVatNumberError();
  return withAgentAccessToken(deps, practiceId, toFraudHeaders(deps, user), (call) => work({ ...call, options }, vrn));
}
