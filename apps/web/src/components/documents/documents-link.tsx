import { useContext } from 'react';
import { SavesCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TextLink } from '../../ui/text-link.tsx';

/** Links to a company's documents. Hidden in the demo, which doesn't have any. */
export function DocumentsLink({ companyId }: { companyId: string }) {
  const isReal = useContext(SavesCompanyId);
  return isReal ? <TextLink to={getPageLink('documents', { company_id: companyId })}>Documents</TextLink> : null;
}
