import { expect, type Page } from '@playwright/test';

/** Logs in by password. What comes next is the portal's choice, and the caller's to expect. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/portal/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
  // Going on before the page reached is drawn would race with its own way to another address.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Logs in by the call that the login page makes, where that page is not what a journey is about. */
export async function passLogin(page: Page, email: string, password: string): Promise<void> {
  const answer = await page.request.post('/portal/v2/login', { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** The same, and opens an address. */
export async function comeIn(page: Page, email: string, password: string, path = '/home'): Promise<void> {
  await passLogin(page, email, password);
  await page.goto(`/portal${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Waits for the login page. It is a document of its own: its address can stand in the app for a moment before its heading does. */
export async function expectLoginPage(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login(?:$|[?])/);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in', exact: true })).toBeVisible();
}
