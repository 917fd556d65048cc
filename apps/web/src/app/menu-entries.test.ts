// Tests the entries, their order and their links (docs/product/specification.md section 2.6, "Slide-out menu" and "Mobile layout").
import { listPagePaths, findPage, PAGES } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import type { MenuEntry } from '../ui/menu-entry.tsx';
import {
  listOtherEntries,
  getHelpPath,
  listMobileEntries,
  listNavigationEntries,
  listSlideOutEntries,
  type MenuContext,
} from './menu-entries.ts';
import type { Session } from '../core/session-state.ts';

const trader: Session = { status: 'signed_in', person: { type: 'trader' } };
const partnerContact: Session = { status: 'signed_in', person: { type: 'new', home_path: PAGES.partnerReferrals.path } };
const practice: Session = { status: 'signed_in', person: { type: 'practice' } };

const facts: MenuContext = {
  pathname: '/v2/instant-vat/dashboard',
  search: '',
  session: trader,
  companies: 1,
  companyId: 'c1',
  logOut: () => undefined,
};

const listLabels = (entries: readonly MenuEntry[]) => entries.map(({ label }) => label);
const find = (entries: readonly MenuEntry[], label: string) => entries.find((entry) => entry.label === label);

describe('the slide-out menu', () => {
  it('for a trader has the specification’s entries in order', () => {
    expect(listLabels(listSlideOutEntries(facts))).toEqual(['Home', 'Add company', 'Data policy', 'Help', 'Log out']);
  });

  it('starts with My companies if there are several', () => {
    expect(listSlideOutEntries({ ...facts, companies: 2 })[0]).toEqual({
      label: 'My companies',
      to: '/v2/instant-vat/profile?company_id=c1',
    });
  });

  it('adds a company to an existing account', () => {
    expect(find(listSlideOutEntries(facts), 'Add company')).toEqual({
      label: 'Add company',
      to: '/v2/instant-vat/steps/company?existing_user=1',
    });
  });

  it('opens the data policy in a new tab', () => {
    expect(find(listSlideOutEntries(facts), 'Data policy')).toEqual({ label: 'Data policy', href: '/portal/privacy', opensNewTab: true });
  });

  it('opens the configured privacy policy', () => {
    const meta = Object.assign(document.createElement('meta'), { name: 'portal-privacy', content: 'https://tidewater.example/privacy' });
    document.head.append(meta);
    expect(find(listSlideOutEntries(facts), 'Data policy')).toMatchObject({ href: 'https://tidewater.example/privacy' });
    meta.remove();
  });

  it.each([
    ['in the OpenTax flow', { ...facts, pathname: '/v2/open-tax/dashboard' }],
    ['for a practice', { ...facts, session: practice }],
    ['while the session is unknown', { ...facts, session: { status: 'unknown', error: new Error('offline') } as const }],
  ])('has no Add company %s', (_name, context) => {
    expect(listLabels(listSlideOutEntries(context))).not.toContain('Add company');
  });

  it('offers to add a team member in the OpenTax flow only', () => {
    expect(listLabels(listSlideOutEntries({ ...facts, pathname: '/v2/open-tax/clients' }))).toContain('Add a team member');
    expect(listLabels(listSlideOutEntries(facts))).not.toContain('Add a team member');
  });

  it('calls the given function to log out', () => {
    let times = 0;
    const entry = find(listSlideOutEntries({ ...facts, logOut: () => (times += 1) }), 'Log out');
    if (entry === undefined || !('onChoose' in entry)) return expect.unreachable('logging out isn’t a link');
    entry.onChoose();
    return expect(times).toBe(1);
  });
});

describe('the mobile menu', () => {
  it('has the specification’s buttons in order', () => {
    expect(listLabels(listMobileEntries(facts, 'tick'))).toEqual([
      'Go to dashboard',
      'Pending tasks',
      'Manage connections',
      'Data policy',
      'Contact us',
      'Log out',
    ]);
  });

  it('has the tick on the tasks only', () => {
    expect(listMobileEntries(facts, 'tick').filter(({ badge }) => badge !== undefined)).toEqual([
      { label: 'Pending tasks', to: '/pending-tasks?company_id=c1', badge: 'tick' },
    ]);
  });

  it.each([
    ['a trader', facts, '/v2/instant-vat/dashboard?company_id=c1'],
    ['a trader without a company yet', { ...facts, companyId: '' }, '/home'],
    ['a practice', { ...facts, session: practice }, '/home'],
  ])('links %s to their dashboard', (_name, context, to) => {
    expect(find(listMobileEntries(context, undefined), 'Go to dashboard')).toEqual({ label: 'Go to dashboard', to });
  });
});

describe('the navigation bar’s links in the menus of narrow screens', () => {
  it('are those that the specification’s entries don’t lead to', () => {
    const mobile = listMobileEntries(facts, undefined);
    expect(listLabels(listNavigationEntries(facts, mobile))).toEqual(['VAT returns', 'Refunds', 'Books', 'Documents', 'Help']);
    expect(listLabels(listNavigationEntries(facts, listSlideOutEntries(facts)))).not.toContain('Help');
  });

  it('lead a practice to its own pages of the company, and name the current one', () => {
    const entries = listNavigationEntries({ ...facts, session: practice, pathname: '/v2/open-tax/clients' }, []);
    expect(find(entries, 'Clients')).toEqual({ label: 'Clients', to: '/v2/open-tax/clients?company_id=c1', isCurrent: true });
    expect(find(entries, 'Calendar')).toMatchObject({ isCurrent: false });
  });

  it('are not there for external users and visitors', () => {
    expect(listNavigationEntries({ ...facts, search: '?external_user=1' }, [])).toEqual([]);
    expect(listNavigationEntries({ ...facts, session: { status: 'signed_out' } }, [])).toEqual([]);
  });
});

describe('other entries of the menus', () => {
  it.each([
    ['a trader with one company', facts, ['Profile', 'Set-up steps']],
    ['a partner’s contact without a company', { ...facts, session: partnerContact }, ['Profile']],
    ['a trader with several', { ...facts, companies: 3 }, ['Profile', 'Set-up steps', 'Change company']],
    ['a practice', { ...facts, session: practice }, ['Profile']],
  ])('for %s', (_name, context, expected) => {
    expect(listLabels(listOtherEntries(context))).toEqual(expected);
  });

  it('link to pages that exist', () => {
    const knownPaths = new Set<string>(Object.values(PAGES).flatMap((page) => [...listPagePaths(page)]));
    const all = [...listSlideOutEntries(facts), ...listMobileEntries(facts, undefined), ...listOtherEntries({ ...facts, companies: 2 })];
    const paths = all.flatMap((entry) => ('to' in entry ? [entry.to.split('?')[0]] : []));
    expect(paths.filter((path) => !knownPaths.has(path ?? ''))).toEqual([]);
  });
});

describe('help', () => {
  it.each([
    ['/v2/instant-vat/steps/company', '/v2/instant-vat/help'],
    ['/home', '/v2/instant-vat/help'],
    ['/v2/open-tax/clients', '/v2/open-tax/help'],
  ])('at %s is %s, a public page', (pathname, path) => {
    expect(getHelpPath(pathname, '')).toBe(path);
    expect(findPage(path)?.access).toBe('public');
  });
});
