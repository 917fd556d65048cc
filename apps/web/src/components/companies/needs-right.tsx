/** An action that only some users with access to the company can take. Everyone else sees who can do it. */
import type { CompanyAccess } from '@portal/contract/company-rights.ts';
import type { ReactNode } from 'react';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { Text } from '../../ui/text.tsx';

type NeedsRightProps = {
  companyId: string;
  access: CompanyAccess;
  /** Completes “Your role doesn’t allow you to …”. If absent, the action is simply hidden. */
  to?: string;
  children: ReactNode;
};

export function NeedsRight({ companyId, access, to, children }: NeedsRightProps) {
  // Shown until the permissions are known: most users are owners, and the server enforces the permissions anyway.
  if (useCompanyRight(companyId, access) !== false) return children;
  if (to === undefined) return null;
  return <Text tone="quiet">Your role doesn’t allow you to {to}. Ask an owner of the company.</Text>;
}
