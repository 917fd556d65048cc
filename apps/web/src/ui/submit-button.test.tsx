import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { getMissingText, SubmitButton } from './submit-button.tsx';

afterEach(cleanup);

describe('a submit button', () => {
  it('is disabled while something is missing, and says what', () => {
    render(<SubmitButton missing="Enter a reason.">Save</SubmitButton>);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save', description: 'Enter a reason.' });
    expect(button.disabled).toBe(true);
  });

  it('is enabled once nothing is missing', () => {
    render(<SubmitButton missing={undefined}>Save</SubmitButton>);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save', description: '' }).disabled).toBe(false);
  });

  it('ends what is missing with one full stop', () => {
    render(
      <>
        <SubmitButton missing="Enter a code">Apply</SubmitButton>
        <SubmitButton missing="Enter a reason.">Save</SubmitButton>
      </>,
    );
    expect(screen.getByRole('button', { name: 'Apply', description: 'Enter a code.' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save', description: 'Enter a reason.' })).toBeTruthy();
  });

  it('names the first problem, or that nothing has changed', () => {
    expect(getMissingText([undefined, 'Enter the date.', 'Enter a reason.'], false)).toBe('Enter the date.');
    expect(getMissingText([undefined], false)).toBe('You haven’t changed anything yet.');
    expect(getMissingText([undefined], true)).toBeUndefined();
  });
});

const SOURCE = join(import.meta.dirname, '..');
/** SubmitButton itself, the form panel, which contains its own button, and a search field, which may be empty. */
const EXEMPT_FILES = ['ui/submit-button.tsx', 'ui/form-panel.tsx', 'app/not-found-screen.tsx'];

it('every form uses it', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx') && !EXEMPT_FILES.includes(file),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => /<Button\b[^>]*type="submit"/u.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
});
