// @vitest-environment jsdom
/** Tests docs/product/specification.md sections 3 (marketing tags) and 4 (tracking tags). */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addTagsToLink, getSavedTags, saveTags, applyTagConsent, parseTags, logFailure } from './marketing-tags.ts';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('marketing tags of a query', () => {
  it.each([
    ['', {}],
    ['?utm_source=news&utm_campaign=spring%20sale&page=2', { utm_source: 'news', utm_campaign: 'spring sale' }],
    ['?utm_source=&utm_medium=mail', { utm_medium: 'mail' }],
    ['?utm_id=7', {}],
    [`?utm_term=${'x'.repeat(201)}`, {}],
    [
      '?utm_source=a&utm_medium=b&utm_campaign=c&utm_term=d&utm_content=e',
      { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c', utm_term: 'd', utm_content: 'e' },
    ],
  ])('%s', (search, expected) => {
    expect(parseTags(search)).toEqual(expected);
  });
});

describe('a link', () => {
  const page = 'https://portal.example/portal/v2/instant-vat?utm_source=news';
  const origins = ['https://portal.example', 'https://app.example'];
  const tags = { utm_source: 'news', utm_medium: 'mail & more' };
  const trackedQuery = 'utm_source=news&utm_medium=mail+%26+more';

  it.each([
    // Unchanged.
    ['#main', '#main'],
    ['mailto:help@portal.example', 'mailto:help@portal.example'],
    ['tel:+441234', 'tel:+441234'],
    ['MAILTO:help@portal.example', 'MAILTO:help@portal.example'],
    // Links to other sites.
    ['https://www.gov.uk/vat', 'https://www.gov.uk/vat'],
    ['https://portal.example.evil.example/portal', 'https://portal.example.evil.example/portal'],
    ['//other.example/x', '//other.example/x'],
    ['javascript:void(0)', 'javascript:void(0)'],
    // Links to the app.
    ['/portal/login', `/portal/login?${trackedQuery}`],
    ['/portal/login?next=%2Fa%20b', `/portal/login?next=%2Fa%20b&${trackedQuery}`],
    ['/portal/help#fees', `/portal/help?${trackedQuery}#fees`],
    ['/portal/help?a=1#b#c', `/portal/help?a=1&${trackedQuery}#b#c`],
    ['/portal/help?', `/portal/help?${trackedQuery}`],
    ['login', `login?${trackedQuery}`],
    ['https://app.example/dashboard', `https://app.example/dashboard?${trackedQuery}`],
    // Only missing tags are added.
    ['/portal/login?utm_source=other', '/portal/login?utm_source=other&utm_medium=mail+%26+more'],
    [`/portal/login?${trackedQuery}`, `/portal/login?${trackedQuery}`],
  ])('%s becomes %s', (link, expected) => {
    expect(addTagsToLink(link, tags, page, origins)).toBe(expected);
  });

  it('is unchanged if no tag is saved', () => {
    expect(addTagsToLink('/portal/login', {}, page, origins)).toBe('/portal/login');
  });
});

describe('saved tags', () => {
  it('last for the visit without consent and longer with consent', () => {
    saveTags('?utm_source=news', false);
    expect(getSavedTags()).toEqual({ utm_source: 'news' });
    expect(localStorage.getItem('utm_tags')).toBeNull();
    applyTagConsent(true);
    sessionStorage.clear();
    expect(getSavedTags()).toEqual({ utm_source: 'news' });
    applyTagConsent(false);
    expect(getSavedTags()).toEqual({});
  });

  it('stay on pages without tags and are replaced as a whole by another campaign', () => {
    saveTags('?utm_source=news&utm_term=vat', true);
    saveTags('?page=2', true);
    expect(getSavedTags()).toEqual({ utm_source: 'news', utm_term: 'vat' });
    saveTags('?utm_source=search', true);
    expect(getSavedTags()).toEqual({ utm_source: 'search' });
  });

  it('are only logged if they cannot be read', () => {
    const consoleErrorSpy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    sessionStorage.setItem('utm_tags', '{');
    logFailure(() => void getSavedTags());
    expect(consoleErrorSpy.mock.calls).toEqual([['Error updating UTM parameters']]);
    consoleErrorSpy.mockRestore();
  });
});
