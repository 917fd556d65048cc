import { setTimeout as pause } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { generateCode } from '../../../apps/sandbox/src/seed/authenticator-code.ts';
import { SANDBOX_OPERATORS } from '../../../apps/sandbox/src/seed/sandbox-operators.ts';

/** Logs in with a password. The next page depends on the account, so the caller checks it. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/portal/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
  // Wait for the first page, because its own redirect would race with the next navigation.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Logs in through the API, for journeys that don't test the login page. Operators also enter their authenticator code. */
export async function logInByApi(page: Page, email: string, password: string): Promise<void> {
  const response = await page.request.post('/portal/v2/login', { data: { email, password } });
  expect(response.status(), await response.text()).toBe(200);
  const { type, challenge } = (await response.json()) as { type: string; challenge?: string };
  if (type !== 'second_factor') return;
  await useAuthenticatorCode(email, async (code) => {
    const confirmedResponse = await page.request.post('/portal/v2/auth/second-factor', { data: { challenge, code } });
    return confirmedResponse.ok();
  });
}

const STEP_MS = 30_000;

/** Tries the currently valid codes. Each works only once, so if other tests have used them all, waits for the next. */
export async function useAuthenticatorCode(email: string, send: (code: string) => Promise<boolean>): Promise<void> {
  const secret = SANDBOX_OPERATORS.find((operator) => operator.email === email)?.authenticator_secret ?? '';
  for (const step of [-1, 0, 1]) if (await send(generateCode(secret, step))) return;
  await pause(STEP_MS - (Date.now() % STEP_MS) + 500);
  expect(await send(generateCode(secret, 1))).toBe(true);
}

/** Logs in through the API and opens a page. */
export async function logInAndOpen(page: Page, email: string, password: string, path = '/home'): Promise<void> {
  await logInByApi(page, email, password);
  await page.goto(`/portal${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Waits for the login page. It is a separate document, so the URL can change a moment before its heading appears. */
export async function expectLoginPage(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login(?:$|[?])/);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in', exact: true })).toBeVisible();
}
