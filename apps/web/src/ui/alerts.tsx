/** Alerts, which are queued, shown one at a time, and have error severity by default (docs/product/specification.md section 4). */
import clsx from 'clsx';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { getSoftClass } from './tone.ts';
import styles from './alerts.module.css';

export type AlertSeverity = 'error' | 'warning' | 'info' | 'success';
type Alert = { readonly id: number; readonly severity: AlertSeverity; readonly text: string };
type RaiseAlert = (text: string, severity?: AlertSeverity) => void;
type Queue = { readonly queuedAlerts: readonly Alert[]; readonly dismiss: () => void };

const ICONS: Readonly<Record<AlertSeverity, IconName>> = {
  error: 'errorCircle',
  warning: 'warning',
  info: 'info',
  success: 'checkCircle',
};

const RaiseContext = createContext<RaiseAlert>(() => undefined);
const QueueContext = createContext<Queue>({ queuedAlerts: [], dismiss: () => undefined });

/** Returns a function that appends an alert to the queue. An alert stays until it is dismissed, so that it can't be missed. */
export const useRaiseAlert = (): RaiseAlert => useContext(RaiseContext);

export function AlertsProvider({ children }: { children: ReactNode }) {
  const [queuedAlerts, setQueuedAlerts] = useState<readonly Alert[]>([]);
  const raise = useCallback<RaiseAlert>((text, severity = 'error') => {
    setQueuedAlerts((queue) => [...queue, { id: (queue.at(-1)?.id ?? 0) + 1, severity, text }]);
  }, []);
  const queue = useMemo(() => ({ queuedAlerts, dismiss: () => setQueuedAlerts((alerts) => alerts.slice(1)) }), [queuedAlerts]);
  return (
    <RaiseContext value={raise}>
      <QueueContext value={queue}>{children}</QueueContext>
    </RaiseContext>
  );
}

/** Shows the alerts of the nearest provider. Renders no visible box while the queue is empty. */
export function AlertsArea() {
  const { queuedAlerts, dismiss } = useContext(QueueContext);
  const shownAlert = queuedAlerts[0];
  const remaining = queuedAlerts.length - 1;
  return (
    // The live regions must exist before their text. Otherwise some screen readers announce nothing.
    <>
      <div role="alert">
        {shownAlert?.severity === 'error' && <AlertBar key={shownAlert.id} alert={shownAlert} remaining={remaining} onDismiss={dismiss} />}
      </div>
      <div role="status">
        {shownAlert !== undefined && shownAlert.severity !== 'error' && (
          <AlertBar key={shownAlert.id} alert={shownAlert} remaining={remaining} onDismiss={dismiss} />
        )}
      </div>
    </>
  );
}

const SPOKEN_PREFIXES: Readonly<Record<AlertSeverity, string>> = { error: 'Error: ', warning: 'Warning: ', info: '', success: 'Done: ' };

type AlertBarProps = { alert: Omit<Alert, 'id'>; remaining?: number; onDismiss: () => void };

export function AlertBar({ alert, remaining = 0, onDismiss }: AlertBarProps) {
  const { severity, text } = alert;
  return (
    <div className={clsx(styles.alert, styles[severity], getSoftClass(severity))}>
      <Icon name={ICONS[severity]} tone={severity} />
      <div className={styles.text}>
        <HiddenText>{SPOKEN_PREFIXES[severity]}</HiddenText>
        {text}
        {remaining > 0 && (
          <span className={styles.more}>{remaining === 1 ? 'One more message after this' : `${remaining} more messages after this`}</span>
        )}
      </div>
      <IconButton label={remaining > 0 ? 'Dismiss and show the next message' : 'Dismiss'} onClick={onDismiss} className={styles.dismiss}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}
