// A page's document names the scripts of its own screen, so that they load together with the app's.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPage } from '@portal/contract/pages.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPageRenderer } from './prerendered-pages.ts';

const SITE = {
  brand: 'Tidewater',
  publicUrl: 'https://portal.example',
  appHost: 'https://portal.example',
  website: { websiteUrl: null, privacyUrl: null },
  chat: null,
  analytics: null,
  sandboxUrl: null,
  sandboxText: '',
  showsDevelopmentPages: false,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-pages-'));
  writeFileSync(join(folder, 'index.html'), '<meta name="portal-parts" content="/portal/app.js %PAGE_SCRIPTS%" />');
  writeFileSync(join(folder, 'page-scripts.json'), JSON.stringify({ contact: ['/portal/contact.js', '/portal/form.js'] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function render(path: string): string {
  return createPageRenderer(folder, SITE)({ page: findPage(path), url: `/portal${path}`, cookies: {}, hasSession: false }).html;
}

it('names the scripts of the requested page, and of no other', () => {
  expect(render('/contact')).toBe('<meta name="portal-parts" content="/portal/app.js /portal/contact.js /portal/form.js" />');
  expect(render('/help')).toBe('<meta name="portal-parts" content="/portal/app.js " />');
});

it('renders pages of a build without such a list', () => {
  rmSync(join(folder, 'page-scripts.json'));
  expect(render('/contact')).toBe('<meta name="portal-parts" content="/portal/app.js " />');
});
