import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { AlertBar, AlertsArea, AlertsProvider, useRaiseAlert, type AlertSeverity } from '../../ui/alerts.tsx';
import { Snackbar } from '../../ui/snackbar.tsx';
import { ToastBar, useToast } from '../../ui/toast.tsx';
import { Sample, Samples, Section } from './section.tsx';

const TEXTS: Readonly<Record<AlertSeverity, string>> = {
  error: 'We could not read your companies. Load the page again.',
  warning: 'Your consent at HMRC ends on 26 November 2026.',
  info: 'HMRC’s services are closed on Sunday from 02:00 to 06:00.',
  success: 'Your bank account is verified.',
};
const SEVERITIES = Object.keys(TEXTS) as AlertSeverity[];

export function MessageSamples() {
  const toast = useToast();
  return (
    <>
      <Section
        id="alerts"
        title="Alerts"
        lead="Queued, shown one at a time, an error unless told otherwise. Each stays until it is dismissed."
      >
        <Samples minWidth={320}>
          {SEVERITIES.map((severity) => (
            <Sample key={severity} name={severity} flush>
              <AlertBar alert={{ severity, text: TEXTS[severity] }} onDismiss={() => toast('success', 'Dismiss was chosen')} />
            </Sample>
          ))}
          <Sample name="The queue itself" flush>
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
  const raise = useRaiseAlert();
  return (
    <Box sx={{ p: 2 }}>
      <Button variant="outlined" size="small" onClick={() => SEVERITIES.forEach((severity) => raise(TEXTS[severity], severity))}>
        Raise four alerts
      </Button>
    </Box>
  );
}

function ToastSamples() {
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      id="toast"
      title="Toast and snackbar"
      lead="A toast hides after 3000 ms, at the top centre. A snackbar stands at the bottom left."
    >
      <Samples>
        <Sample name="Success: teal">
          <ToastBar severity="success" text="Your choices are saved" />
        </Sample>
        <Sample name="Error: pink-red">
          <ToastBar severity="error" text="The code was not sent. Try again." />
        </Sample>
        <Sample name="As they come">
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            <Button variant="outlined" size="small" onClick={() => toast('success', 'Your choices are saved')}>
              Success toast
            </Button>
            <Button variant="outlined" size="small" onClick={() => toast('error', 'The code was not sent. Try again.')}>
              Error toast
            </Button>
          </Box>
        </Sample>
        <Sample name="Snackbar of 6 seconds, half of it after a pause">
          <Button variant="outlined" size="small" onClick={() => setIsOpen(true)}>
            Open the snackbar
          </Button>
          {isOpen && (
            <Snackbar onClose={() => setIsOpen(false)} autoHideMs={6000}>
              <Box role="status" sx={{ px: 2, py: 1.5, borderRadius: 1, bgcolor: 'text.primary', color: 'background.paper' }}>
                A new version will be used after the next load
              </Box>
            </Snackbar>
          )}
        </Sample>
      </Samples>
    </Section>
  );
}
