/** Encrypts fraud prevention headers for the calls that jobs make as a result of a user's click. They describe the user's device. */
import type { FraudHeaders } from '@portal/providers/hmrc/fraud-headers.ts';
import type { AppDeps } from '../../app-deps.ts';
import { toFraudHeaders, type ActingUser } from './with-trader-access-token.ts';

export function sealFraudHeaders({ tokenCipher }: Pick<AppDeps, 'tokenCipher'>, companyId: string, headers: FraudHeaders): string {
  return tokenCipher.seal(JSON.stringify(headers), `fraud_headers:${companyId}`);
}

export function sealUserHeaders(deps: AppDeps, companyId: string, user: ActingUser): string {
  return sealFraudHeaders(deps, companyId, toFraudHeaders(deps, user));
}

export function openFraudHeaders({ tokenCipher }: Pick<AppDeps, 'tokenCipher'>, companyId: string, sealedHeaders: string): FraudHeaders {
  return JSON.parse(tokenCipher.open(sealedHeaders, `fraud_headers:${companyId}`)) as FraudHeaders;
}
