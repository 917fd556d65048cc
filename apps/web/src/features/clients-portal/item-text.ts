import type { PortalItem } from '@portal/contract/client-portal.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';

/** Returns, for example, "Self Assessment payment on account". */
export function describeItem({ tax, kind }: Pick<PortalItem, 'tax' | 'kind'>): string {
  return clientText('item.of_tax', { tax: clientText(`tax.${tax}`), what: clientText(`item.${kind}`) });
}
