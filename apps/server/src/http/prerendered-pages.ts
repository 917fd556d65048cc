/** The HTML pages built by the web app: the app's shell, and the prerendered pages for each partner. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { findPage } from '@portal/contract/pages.ts';
import { normalisePartnerName, ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { PARTNER_COOKIE } from '@portal/domain/partners/partner-touches.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import type { Site } from '../app-deps.ts';
import { renderPageHead } from './page-head.ts';
import { listStyleHashes } from './security-headers.ts';

/** The settings that the documents contain. */
type PageSite = Pick<
  Site,
  'brand' | 'publicUrl' | 'appHost' | 'website' | 'chat' | 'analytics' | 'sandboxUrl' | 'sandboxText' | 'showsDevelopmentPages'
>;

type FoundPage = NonNullable<ReturnType<typeof findPage>>;

/** The parts of a request that determine the page. */
export type PageRequest = {
  readonly page: FoundPage | undefined;
  readonly url: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly hasSession: boolean;
};

export type RenderedPage = { readonly html: string; readonly styleHashes: readonly string[] };

/** Returns a function that renders the page for a request: the matching file with its head filled in. */
export function createPageRenderer(distDir: string, site: PageSite): (request: PageRequest) => RenderedPage {
  const files = new Map<string, RenderedPage>();
  const getFile = (name: string): RenderedPage => {
    const knownFile = files.get(name);
    if (knownFile !== undefined) return knownFile;
    const html = readPage(distDir, name, site);
    const file = { html, styleHashes: listStyleHashes(html) };
    files.set(name, file);
    return file;
  };
  const scripts = readPageScripts(distDir);
  return (request) => {
    const head: Readonly<Record<string, string>> = {
      ...renderPageHead(request.page, site, request.hasSession),
      '%PAGE_SCRIPTS%': listScripts(request, scripts).join(' '),
    };
    const { html, styleHashes } = getFile(getFileName(request));
    return { html: html.replaceAll(/%PAGE_[A-Z]+%/g, (mark) => escapeAttribute(head[mark] ?? '')), styleHashes };
  };
}

/**
 * The landing page is prerendered for the visitor's partner, so that the layout doesn't shift when the script runs. File names come from
 * the partners table, so no value from the request becomes part of a path.
 */
function getFileName({ page, url, cookies }: PageRequest): string {
  if (page?.kind === 'login') return page.name === 'loginV2' ? 'login-v2.html' : 'login.html';
  if (page?.name === 'dashboard') return 'dashboard.html';
  if (page?.kind !== 'landing') return 'index.html';
  if (page.partner !== undefined) return `partners/${page.partner}.html`;
  const query = new URL(url, 'http://localhost').searchParams;
  const partnerName = normalisePartnerName(cookies[PARTNER_COOKIE] ?? query.get('partner') ?? query.get('partner_id'));
  if (page.name === 'openTaxLanding') {
    const partner = getPartner(partnerName, 'open_tax');
    return partner.product === 'open_tax' ? `open-tax/${partner.name}.html` : 'open-tax.html';
  }
  const { name } = getPartner(partnerName);
  return name === ORGANIC_PARTNER ? 'landing.html' : `landing/${name}.html`;
}

/** On a page behind the login, visitors without a session are sent to the login page, so they don't need the page's screen. */
function listScripts({ page, hasSession }: PageRequest, scripts: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const showsScreen = page !== undefined && (hasSession || page.access === 'public');
  return showsScreen ? (scripts[page.name] ?? []) : [];
}

/** Reads which scripts each page preloads, by page name, as listed by the web app's build. */
function readPageScripts(distDir: string): Readonly<Record<string, readonly string[]>> {
  const path = join(distDir, 'page-scripts.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>) : {};
}

function readPage(distDir: string, file: string, site: PageSite): string {
  const path = join(distDir, file);
  if (!existsSync(path)) return '<!doctype html><title>Not built</title><p>The web app is not built. Run: npm run build';
  return readFileSync(path, 'utf8')
    .replaceAll('%PORTAL_BRAND%', escapeAttribute(site.brand))
    .replaceAll('%PORTAL_SANDBOX_TEXT%', escapeAttribute(site.sandboxText))
    .replaceAll('%PORTAL_SANDBOX%', escapeAttribute(site.sandboxUrl ?? ''))
    .replaceAll('%PORTAL_DEVELOPMENT%', site.showsDevelopmentPages ? '1' : '')
    .replaceAll('%PORTAL_APP_HOST%', escapeAttribute(site.appHost))
    .replaceAll('%PORTAL_WEBSITE%', escapeAttribute(site.website.websiteUrl ?? ''))
    .replaceAll('%PORTAL_PRIVACY%', escapeAttribute(site.website.privacyUrl ?? ''))
    .replaceAll('%PORTAL_ANALYTICS%', escapeAttribute(site.analytics?.scriptUrl ?? ''))
    .replaceAll('%PORTAL_CHAT%', escapeAttribute(site.chat?.scriptUrl ?? ''));
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
