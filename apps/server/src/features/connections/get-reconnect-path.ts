import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';

/** Returns the page below /portal where the user reconnects HMRC. Emails and notices link to it. */
export function getReconnectPath(kind: CompanyKind, companyId: string): string {
  const page = kind === 'practice' ? getSettingsPath('connections') : PAGES.linkHmrcAccount.path;
  return `${page}?${new URLSearchParams({ company_id: companyId })}`;
}
