/**
 * Runs axe inside the page. @axe-core/playwright injects axe before each check and returns all results, which doubles the time a check
 * takes.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

type AxeOptions = {
  /** CSS selector for the part to check; the whole page by default. */
  readonly within?: string;
  /** Runs only these axe rules. Default: all default rules. */
  readonly rules?: readonly string[];
  /** Default rules to skip. */
  readonly without?: readonly string[];
};

/**
 * Base UI's focus guards pass the focus on as soon as they receive it, which keyboard.spec.ts checks. Under the rule that axe implements,
 * they therefore aren't focusable (https://www.w3.org/WAI/standards-guidelines/act/rules/6cfa84/, passed example 4), but axe can't see
 * that.
 */
const FOCUS_GUARD = '[data-base-ui-focus-guard]';

type AxeWindow = typeof globalThis & { axe?: typeof axe };

/** Minified, because it is sent to every loaded page. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Lists axe violations on the current page, one line per rule: its id, then each element with its selector and the start of its HTML. */
export async function listViolations(page: Page, { within, rules, without = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(
    async ({ root, values, left, guard }) => {
      const { axe: axeInPage } = globalThis as AxeWindow;
      if (!axeInPage) throw new Error('The page was left while axe was being injected.');
      const { violations } = await axeInPage.run(
        { include: [root ?? 'html'], exclude: [guard] },
        {
          resultTypes: ['violations'],
          rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
          ...(values ? { runOnly: { type: 'rule', values } } : {}),
        },
      );
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target.join(' ')} ${html.slice(0, 160)}`).join(' | ')}`,
      );
    },
    { root: within, values: rules ? [...rules] : undefined, left: [...without], guard: FOCUS_GUARD },
  );
}
