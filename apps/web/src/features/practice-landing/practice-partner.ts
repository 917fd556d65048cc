import type { Partner } from '@portal/domain/partners/partner.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';

/** Finds a partner that refers practices. Returns undefined for any other name. */
export function findPracticePartner(name: string): Partner | undefined {
  const partner = getPartner(name, 'open_tax');
  return partner.product === 'open_tax' ? partner : undefined;
}
