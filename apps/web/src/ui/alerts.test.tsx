// Tests docs/product/specification.md section 4, "Alerts": queued, shown one at a time, error severity by default.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AlertsArea, AlertsProvider, useRaiseAlert, type AlertSeverity } from './alerts.tsx';

type RaiseAlert = (text: string, severity?: AlertSeverity) => void;
let raiseAlert: RaiseAlert = () => undefined;

function AlertProbe({ onRender }: { onRender: (current: RaiseAlert) => void }) {
  const current = useRaiseAlert();
  useEffect(() => onRender(current), [onRender, current]);
  return null;
}

const raiseAlertInAct: RaiseAlert = (text, severity) => act(() => raiseAlert(text, severity));
const dismiss = () => fireEvent.click(screen.getByRole('button', { name: /^Dismiss/ }));

const setRaise = (current: RaiseAlert) => {
  raiseAlert = current;
};

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <AlertsProvider>
      <AlertsArea />
      <AlertProbe onRender={setRaise} />
    </AlertsProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('alerts', () => {
  it('have error severity by default and use the assertive live region', () => {
    raiseAlertInAct('HMRC did not answer');
    expect(screen.getByRole('alert').textContent).toContain('Error: HMRC did not answer');
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it.each(['warning', 'info', 'success'] as const)('with severity %s use the polite live region', (severity) => {
    raiseAlertInAct('A message', severity);
    expect(screen.getByRole('status').textContent).toContain('A message');
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('are shown one at a time, in order', () => {
    raiseAlertInAct('First');
    raiseAlertInAct('Second', 'info');
    raiseAlertInAct('Third');
    expect(screen.queryByText(/Second|Third/)).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('2 more messages after this');
    dismiss();
    expect(screen.queryByText(/First|Third/)).toBeNull();
    expect(screen.getByRole('status').textContent).toContain('One more message after this');
    dismiss();
    expect(screen.getByRole('alert').textContent).toContain('Third');
    dismiss();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('stay until they are dismissed', () => {
    raiseAlertInAct('First');
    act(() => {
      vi.advanceTimersByTime(600_000);
    });
    expect(screen.queryByText('First')).not.toBeNull();
  });

  it('shows a new alert after all others were dismissed', () => {
    raiseAlertInAct('First');
    dismiss();
    raiseAlertInAct('First');
    expect(screen.getByRole('alert').textContent).toContain('First');
  });
});
