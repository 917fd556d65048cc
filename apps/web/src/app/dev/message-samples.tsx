import { useState } from 'react';
import { AlertBar, AlertsArea, AlertsProvider, useRaiseAlert, type AlertSeverity } from '../../ui/alerts.tsx';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Snackbar } from '../../ui/snackbar.tsx';
import { ToastBar, useToast } from '../../ui/toast.tsx';
import { Sample, Samples, Section } from './section.tsx';
import styles from './message-samples.module.css';

const TEXTS: Readonly<Record<AlertSeverity, string>> = {
  error: 'We couldn’t load your companies. Reload the page.',
  warning: 'Your HMRC permission ends on 26 November 2026.',
  info: 'HMRC’s services are closed on Sunday from 02:00 to 06:00.',
  success: 'Your bank account is verified.',
};
const SEVERITIES = Object.keys(TEXTS) as AlertSeverity[];

export function MessageSamples() {
  const toast = useToast();
  return (
    <>
      <Section id="alerts" title="Alerts" lead="Queued and shown one at a time, as errors by default. Each stays until it’s dismissed.">
        <Samples minWidth={320}>
          {SEVERITIES.map((severity) => (
            <Sample key={severity} name={severity} flush>
              <AlertBar alert={{ severity, text: TEXTS[severity] }} onDismiss={() => toast('success', 'Alert dismissed')} />
            </Sample>
          ))}
          <Sample name="Queue" flush>
            <AlertsProvider>
              <AlertsArea />
              <QueueButtons />
            </AlertsProvider>
          </Sample>
        </Samples>
      </Section>
      <ToastSamples />
    </>
  );
}

function QueueButtons() {
  const raiseAlert = useRaiseAlert();
  return (
    <div className={styles.padded}>
      <Button variant="outlined" size="small" onClick={() => SEVERITIES.forEach((severity) => raiseAlert(TEXTS[severity], severity))}>
        Show four alerts
      </Button>
    </div>
  );
}

function ToastSamples() {
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      id="toast"
      title="Toast and snackbar"
      lead="A toast appears at the top centre for 3000 ms. A snackbar appears at the bottom left."
    >
      <Samples>
        <Sample name="Success: teal">
          <ToastBar severity="success" text="Preferences saved" />
        </Sample>
        <Sample name="Error: pink-red">
          <ToastBar severity="error" text="We couldn’t send the code. Try again." />
        </Sample>
        <Sample name="Try them">
          <Row gap={8}>
            <Button variant="outlined" size="small" onClick={() => toast('success', 'Preferences saved')}>
              Success toast
            </Button>
            <Button variant="outlined" size="small" onClick={() => toast('error', 'We couldn’t send the code. Try again.')}>
              Error toast
            </Button>
          </Row>
        </Sample>
        <Sample name="Snackbar for 6 seconds, or 3 after a pause">
          <Button variant="outlined" size="small" onClick={() => setIsOpen(true)}>
            Open the snackbar
          </Button>
          {isOpen && (
            <Snackbar onClose={() => setIsOpen(false)} autoHideMs={6000}>
              <div role="status" className={styles.message}>
                We’ll use the new version when you reload
              </div>
            </Snackbar>
          )}
        </Sample>
      </Samples>
    </Section>
  );
}
