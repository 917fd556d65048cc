// Tests that logged-in users get a link home instead of "Log in", and that no request is sent for visitors.
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { OpenTaxLanding } from './open-tax-landing.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function open(savedCompanyId: string, getResponse: () => Promise<Response>) {
  if (savedCompanyId !== '') localStorage.setItem('g-company', JSON.stringify({ companyId: savedCompanyId }));
  const fetchMock = vi.fn<() => Promise<Response>>(getResponse);
  vi.stubGlobal('fetch', fetchMock);
  render(<OpenTaxLanding brand="Tidewater" sandbox={{ url: '', text: '' }} prerenderedFor="organic" />);
  return fetchMock;
}

it('offers a visitor to log in without sending a request', () => {
  const fetchMock = open('', async () => Response.json({}));
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
  expect(fetchMock).not.toHaveBeenCalled();
});

it('links a logged-in user to their home page', async () => {
  open('p', async () => Response.json({ type: 'practitioner' }));
  expect((await screen.findByRole('link', { name: 'Go to your home page' })).getAttribute('href')).toBe('/portal/home');
  expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
});

it.each([
  ['the session is over', async () => Response.json({})],
  ['the server cannot be reached', async () => Promise.reject(new TypeError('offline'))],
])('still offers to log in if %s', async (_name, getResponse) => {
  const fetchMock = open('p', getResponse);
  await waitFor(() => expect(fetchMock).toHaveBeenCalledWith('/portal/v2/check-login'));
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
});
