import type { PortalItem } from '@portal/contract/client-portal.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';

/** For example "Self Assessment payment on account". */
export function describeItem({ tax, kind }: Pick<PortalItem, 'tax' | 'kind'>): string {
  return `${TAX_NAMES[tax]} ${getItemName(kind)}`;
}
