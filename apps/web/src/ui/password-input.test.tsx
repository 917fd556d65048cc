import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { PasswordInput } from './password-input.tsx';

afterEach(cleanup);

const getField = () => screen.getByLabelText<HTMLInputElement>('Password');

describe('a password field', () => {
  it('hides what is typed until the user shows it, and keeps it', () => {
    render(
      <form>
        <label htmlFor="p">Password</label>
        <PasswordInput id="p" defaultValue="three unrelated words" />
      </form>,
    );
    expect(getField().type).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: /^Show ?password$/ }));
    expect(getField()).toMatchObject({ type: 'text', value: 'three unrelated words' });
    expect(getField().getAttribute('spellcheck')).toBe('false');
    fireEvent.click(screen.getByRole('button', { name: /^Hide ?password$/ }));
    expect(getField().type).toBe('password');
  });

  it('is hidden again when its form is sent, which the button alone doesn’t do', () => {
    const sent: string[] = [];
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent.push('sent');
        }}
      >
        <label htmlFor="p">Password</label>
        <PasswordInput id="p" />
        <button type="submit">Log in</button>
      </form>,
    );
    fireEvent.click(screen.getByRole('button', { name: /^Show ?password$/ }));
    expect([getField().type, sent]).toEqual(['text', []]);
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
    expect([getField().type, sent]).toEqual(['password', ['sent']]);
  });
});
