import { getPartner } from '@portal/domain/partners/partners.ts';
import { describe, expect, it } from 'vitest';
import { formatPageTitle, findPage, PAGES, getProductTitleAt } from './pages.ts';
import type { Page } from './pages/page.ts';

describe('finding a page', () => {
  it.each([
    // Any path ending in /help is public and shows the help page (docs/product/specification.md sections 2.4 and 2.5).
    ['/help', 'help'],
    ['/v2/instant-vat/dashboard/help', 'help'],
    ['/v2/open-tax/clients/help', 'help'],
    ['/v2/instant-vat/demo/help/', 'help'],
    ['/no/such/page/help', 'help'],
    ['/v2/instant-vat/help', 'instantVatHelp'],
    ['/v2/instant-vat/demo/advance', 'demo'],
    ['/v2/instant-vat/vat-return', 'vatReturnInfo'],
    ['/v2/instant-vat/dashboard/vat-return/', 'vatReturn'],
  ])('%s is %s', (path, name) => {
    expect(findPage(path)?.name).toBe(name);
  });

  it.each(['/v2/instant-vat/demo/no-such-page', '/self-help', '/helpful', '/v2/instant-vat/premium'])('%s is not a page', (path) => {
    expect(findPage(path)).toBeUndefined();
  });

  it.each(['/v2/quickbooks', '/v2/gofile', '/v2/swoop', '/v2/azets', '/v2/kashflow', '/freeagent', '/xero', '/mtdsorted'])(
    '%s is the public landing page of a partner',
    (path) => {
      const page = findPage(path);
      expect(page).toMatchObject({ access: 'public', kind: 'landing' });
      expect(getPartner(page?.partner ?? '').name).toBe(path.split('/').at(-1));
    },
  );

  it.each([
    ['/v2/open-tax/no-such-page', 'OpenTax'],
    ['/v2/open-tax', 'OpenTax'],
    ['/v2/open-taxes', 'InstantVAT Refunds'],
    ['/no-such-page', 'InstantVAT Refunds'],
  ])('%s without a page has the title %s', (path, title) => {
    expect(getProductTitleAt(path)).toBe(title);
    expect(findPage(`${path}/help`)).toMatchObject({ title, section: 'Help' });
  });

  it('has a window title of its own, the brand and the product first', () => {
    // Both login paths show the same page, and so do the two help paths.
    const pages = Object.entries<Page>(PAGES).filter(([name, { kind }]) => name !== 'loginV2' && name !== 'help' && kind !== 'landing');
    const titles = pages.map(([, page]) => formatPageTitle('Tidewater', page));
    expect(new Set(titles).size).toBe(pages.length);
    for (const title of titles) expect(title).toMatch(/^Tidewater (Login|OpenTax|InstantVAT Refunds|Operators)( – .+)?$/);
    expect(formatPageTitle('Tidewater', PAGES.practiceClients, 'Oakline')).toBe('Tidewater OpenTax – Clients – Oakline');
  });

  it('is public where the specification requires no login', () => {
    for (const path of ['/v2/instant-vat/demo', '/v2/instant-vat/demo/vat-return', '/admin/help', '/contact', '/privacy']) {
      expect([path, findPage(path)?.access]).toEqual([path, 'public']);
    }
    expect([PAGES.pendingTasks.access, PAGES.connections.access]).toEqual(['signed_in', 'signed_in']);
  });
});
