// Tests docs/product/specification.md sections 4 ("Forms") and 5 on the login page, with a fake HTTP server.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LoginPage } from './login-page.tsx';

const getButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const open = () => render(<LoginPage brand="Tidewater" sandbox={{ url: '', text: '' }} isV2={false} />);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe('the login form', () => {
  it('can be submitted once it is valid and changed', () => {
    open();
    expect(getButton('Log in').disabled).toBe(true);
    type('Email', 'tessa@brightwell.example');
    expect(getButton('Log in').disabled).toBe(true);
    type('Password', 'x');
    expect(getButton('Log in').disabled).toBe(false);
    type('Email', 'tessa');
    expect(getButton('Log in').disabled).toBe(true);
  });

  it('shows errors of touched fields only', () => {
    open();
    type('Email', 'tessa');
    expect(screen.queryByText('Invalid email address')).toBeNull();
    fireEvent.blur(screen.getByLabelText('Email'));
    expect(screen.getByText('Invalid email address')).toBeTruthy();
    expect(screen.queryByText('Enter your password')).toBeNull();
  });

  it('shows the server’s error, keeps the input and sends one request when it is submitted twice', async () => {
    const requestedUrls: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      requestedUrls.push(url);
      return new Response(JSON.stringify({ message: 'That email and password do not fit together.' }), { status: 401 });
    });
    open();
    type('Email', 'tessa@brightwell.example');
    type('Password', 'wrong');
    fireEvent.click(getButton('Log in'));
    fireEvent.submit(screen.getByLabelText('Email').closest('form') as HTMLFormElement);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('That email and password do not fit together.');
    await waitFor(() => expect(document.activeElement).toBe(alert));
    expect(requestedUrls).toEqual(['/portal/v2/login']);
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong');
  });

  it('asks for the email before it sends a link', () => {
    open();
    fireEvent.click(getButton('Email me a link'));
    expect(screen.getByText('Email is required')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  });
});
