/** The test of every journey: whatever the browser complains about fails it, and another device is one call away. */
import { test as base, type BrowserContext, type ConsoleMessage, type Page } from '@playwright/test';

type Options = {
  /** Complaints of the browser that a journey is about: the 404 of a page that must not exist. */
  expectedComplaints: RegExp[];
};

type Fixtures = {
  /** Opens another browser of another person, or of the same person elsewhere: no cookie, no storage. */
  openDevice: () => Promise<Page>;
};

type Watch = { readonly watch: (context: BrowserContext) => void };

// Chromium logs every answer from 400 on. Refusals of a call (wrong file, expired link) are part of journeys and are asserted on the screen.
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of (400|401|403|409|422|429) /;

export const test = base.extend<Options & Fixtures & { watcher: Watch }>({
  expectedComplaints: [[], { option: true }],
  watcher: async ({ expectedComplaints }, use) => {
    const complaints: string[] = [];
    const note = (text: string, at: string): void => {
      if (REFUSED_CALL.test(text) || expectedComplaints.some((expected) => expected.test(text))) return;
      complaints.push(`${text} (${at})`);
    };
    await use({
      watch: (context) => {
        context.on('console', (message: ConsoleMessage) => {
          if (message.type() === 'error' || message.type() === 'warning') note(message.text(), message.location().url);
        });
        context.on('weberror', (error) => note(String(error.error()), error.page()?.url() ?? ''));
      },
    });
    base.expect(complaints, 'what the browser complained about').toEqual([]);
  },
  context: async ({ context, watcher }, use) => {
    watcher.watch(context);
    await use(context);
  },
  openDevice: async ({ browser, watcher, contextOptions, baseURL, locale, timezoneId }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const given = { ...contextOptions, ...(baseURL === undefined ? {} : { baseURL }) };
      const context = await browser.newContext({ ...given, ...(locale ? { locale } : {}), ...(timezoneId ? { timezoneId } : {}) });
      opened.push(context);
      watcher.watch(context);
      return context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

export const expect = test.expect;
