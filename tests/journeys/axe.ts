/** axe in the page itself. Its own package for Playwright sends axe into the page before each look and carries all answers out, twice the time of the look. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

type Look = {
  /** Selector of the part looked at; the whole page without it. */
  readonly within?: string;
  /** Only these of axe's rules; all of its default ones without it. */
  readonly rules?: readonly string[];
  /** All of axe's default rules but these. */
  readonly without?: readonly string[];
};

type AxeWindow = typeof globalThis & { axe?: typeof axe };

/** The packed one: each page that is loaded is sent it anew, and has less than half to read. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe has against the page as it stands, one line a rule: its id, then each element with its selector and how it begins. */
export async function listViolations(page: Page, { within, rules, without = [] }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(
    async ({ root, values, left }) => {
      const { axe: inPage } = globalThis as AxeWindow;
      if (!inPage) throw new Error('The page was left while axe was sent into it.');
      const { violations } = await inPage.run(root ?? document, {
        resultTypes: ['violations'],
        rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
        ...(values ? { runOnly: { type: 'rule', values } } : {}),
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target.join(' ')} ${html.slice(0, 160)}`).join(' | ')}`,
      );
    },
    { root: within, values: rules ? [...rules] : undefined, left: [...without] },
  );
}
