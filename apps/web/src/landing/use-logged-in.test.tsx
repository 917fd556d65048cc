// Whoever is logged in is not asked to log in; a visitor's browser asks nothing.
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { OpenTaxLanding } from './open-tax-landing.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function open(remembered: string, answer: () => Promise<Response>) {
  if (remembered !== '') localStorage.setItem('g-company', JSON.stringify({ companyId: remembered }));
  const asked = vi.fn<() => Promise<Response>>(answer);
  vi.stubGlobal('fetch', asked);
  render(<OpenTaxLanding brand="Tidewater" sandbox="" drawnFor="organic" />);
  return asked;
}

it('a visitor is offered the login, and the server is not asked', () => {
  const asked = open('', async () => Response.json({}));
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
  expect(asked).not.toHaveBeenCalled();
});

it('whoever is logged in is led home', async () => {
  open('p', async () => Response.json({ type: 'practitioner' }));
  expect((await screen.findByRole('link', { name: 'Go to your home page' })).getAttribute('href')).toBe('/portal/home');
  expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull();
});

it.each([
  ['the session is over', async () => Response.json({})],
  ['the server cannot be reached', async () => Promise.reject(new TypeError('offline'))],
])('the login stays where %s', async (_name, answer) => {
  const asked = open('p', answer);
  await waitFor(() => expect(asked).toHaveBeenCalledWith('/portal/v2/check-login'));
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
});
