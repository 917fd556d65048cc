import { expect, type Page } from '@playwright/test';

/** Logs in by password. The next page depends on the account, so the caller checks it. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/portal/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
  // Waits for the first page, because its own redirect would race with the next navigation.
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
}

/** Logs in through the API, for journeys that do not test the login page. */
export async function logInByApi(page: Page, email: string, password: string): Promise<void> {
  const answer = await page.request.post('/portal/v2/login', { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
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
