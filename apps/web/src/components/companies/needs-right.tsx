/** An action that only some people with access to the company may take. Others see who can do it. */
import type { CompanyAccess } from '@portal/contract/company-rights.ts';
import type { ReactNode } from 'react';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { Text } from '../../ui/text.tsx';

type NeedsRightProps = {
  companyId: string;
  access: CompanyAccess;
  /** Completes “Your role doesn’t allow you to …”. Without it, nothing replaces the action. */
  to?: string;
  children: ReactNode;
};

export function NeedsRight({ companyId, access, to, children }: NeedsRightProps) {
  // Shown until the permissions are known: most users are owners, and the server enforces them anyway.
  if (useCompanyRight(companyId, access) !== false) return children;
  if (to === undefined) return null;
  return <Text tone="quiet">Your role doesn’t allow you to {to}. Ask an owner of the company.</Text>;
}
