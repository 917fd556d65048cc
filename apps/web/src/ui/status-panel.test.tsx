// Tests docs/product/specification.md section 2.6, "Status panel".
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StatusPanel } from './status-panel.tsx';

afterEach(cleanup);

const STATES = ['success', 'error', 'warning', 'pending', 'loading'] as const;

describe('a status panel', () => {
  it('labels its buttons Continue and Skip by default', () => {
    const [onContinue, onSkip] = [vi.fn<() => void>(), vi.fn<() => void>()];
    render(<StatusPanel state="pending" onContinue={onContinue} onSkip={onSkip} />);
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
    expect([onContinue.mock.calls.length, onSkip.mock.calls.length]).toEqual([1, 1]);
  });

  it('uses the given button labels', () => {
    render(
      <StatusPanel state="success" onContinue={vi.fn<() => void>()} continueLabel="Next" onSkip={vi.fn<() => void>()} skipLabel="Later" />,
    );
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Next', 'Later']);
  });

  it('hides Skip and disables Continue while loading', () => {
    render(<StatusPanel state="loading" onContinue={vi.fn<() => void>()} onSkip={vi.fn<() => void>()} />);
    expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' }).disabled).toBe(true);
  });

  it('has no button, heading or content by default', () => {
    render(<StatusPanel state="success" />);
    expect([screen.queryByRole('button'), screen.queryByRole('heading')]).toEqual([null, null]);
  });

  it('shows heading, sub-heading and content', () => {
    render(
      <StatusPanel state="success" heading="Filed" subHeading="HMRC has it">
        Reference 42
      </StatusPanel>,
    );
    expect(screen.getByRole('heading', { level: 2, name: 'Filed' })).toBeDefined();
    expect(screen.getByRole('status').textContent).toContain('HMRC has it');
    expect(screen.getByRole('status').textContent).toContain('Reference 42');
  });

  it('has a different icon for each state', () => {
    const icons = STATES.map((state) => {
      const { container, unmount } = render(<StatusPanel state={state} heading="One" />);
      const markup = container.querySelector('svg')?.innerHTML;
      unmount();
      return markup;
    });
    expect(new Set(icons).size).toBe(STATES.length);
  });

  it.each(STATES)('names its state %s if it has no heading', (state) => {
    render(<StatusPanel state={state} />);
    expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/\w/);
  });
});
