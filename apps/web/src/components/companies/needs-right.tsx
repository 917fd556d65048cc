/** An action that not everyone with access to the company has. For the others a line says who can do it. */
import type { CompanyAccess } from '@portal/contract/company-rights.ts';
import type { ReactNode } from 'react';
import { useCompanyRight } from '../../lib/use-company-right.ts';
import { Text } from '../../ui/text.tsx';

type NeedsRightProps = {
  companyId: string;
  access: CompanyAccess;
  /** What the person can't do, to complete "Your role doesn’t allow you to …"; without it nothing is shown in place of the action. */
  to?: string;
  children: ReactNode;
};

export function NeedsRight({ companyId, access, to, children }: NeedsRightProps) {
  // Shown until known: most people are owners, and the server decides in any case.
  if (useCompanyRight(companyId, access) !== false) return children;
  if (to === undefined) return null;
  return <Text tone="quiet">Your role doesn’t allow you to {to}. Ask an owner of the company.</Text>;
}
