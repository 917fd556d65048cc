import type { AppDeps } from '../../app-deps.ts';

type Tokens = { readonly accessToken: string; readonly refreshToken: string };

/** Encrypts HMRC's tokens for the company's connection. */
export function sealTokens(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  companyId: string,
  { accessToken, refreshToken }: Tokens,
): Tokens {
  return {
    accessToken: tokenCipher.seal(accessToken, `hmrc_access_token:${companyId}`),
    refreshToken: tokenCipher.seal(refreshToken, `hmrc_refresh_token:${companyId}`),
  };
}
