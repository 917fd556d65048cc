// Tests that a page's document names the scripts of its own screen, so that they load together with the app's.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPage } from '@portal/contract/pages.ts';
import { afterAll, expect, it } from 'vitest';
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

const SCRIPTS = { contact: ['/portal/contact.js', '/portal/form.js'], profile: ['/portal/profile.js'] };

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Renders the document for a path from a build that has these scripts, or no list of scripts. */
function render(path: string, scripts?: Readonly<Record<string, readonly string[]>>, hasSession = false): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-pages-'));
  folders.push(folder);
  writeFileSync(join(folder, 'index.html'), '<meta name="portal-parts" content="/portal/app.js %PAGE_SCRIPTS%" />');
  if (scripts !== undefined) writeFileSync(join(folder, 'page-scripts.json'), JSON.stringify(scripts));
  return createPageRenderer(folder, SITE)({ page: findPage(path), url: `/portal${path}`, cookies: {}, hasSession }).html;
}

it('a page names the scripts of the requested page, and of no other', () => {
  expect(render('/contact', SCRIPTS)).toBe('<meta name="portal-parts" content="/portal/app.js /portal/contact.js /portal/form.js" />');
  expect(render('/help', SCRIPTS)).toBe('<meta name="portal-parts" content="/portal/app.js " />');
});

it('a page behind login names its scripts only for users with a session, because others are sent to the login page', () => {
  expect(render('/v2/instant-vat/profile', SCRIPTS)).toContain('content="/portal/app.js "');
  expect(render('/v2/instant-vat/profile', SCRIPTS, true)).toContain('content="/portal/app.js /portal/profile.js"');
});

it('pages of a build without a list of scripts are rendered', () => {
  expect(render('/contact')).toBe('<meta name="portal-parts" content="/portal/app.js " />');
});
