import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { useNotificationDialog } from '../../ui/notification-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Sample, Samples, Section } from './section.tsx';

/** How long samples without a close button stay open. */
const OPEN_MS = 3000;

type DialogKind = 'small' | 'wide' | 'help' | 'loading' | 'held';

const LABELS: Readonly<Record<DialogKind, string>> = {
  small: 'Small: 500 px',
  wide: 'Wide: up to 852 px',
  help: 'With help and actions',
  loading: 'Loading, for 3 seconds',
  held: 'No close icon',
};

const TEXT = 'Below 900 px, this is a sheet that slides up from the bottom. Swipe down on its handle or heading to close it.';

export function DialogSamples() {
  const toast = useToast();
  const [shownKind, setShown] = useState<DialogKind>('small');
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const openers = (Object.keys(LABELS) as DialogKind[]).map((kind) => (
    <Sample key={kind} name={LABELS[kind]}>
      <Button
        variant="outlined"
        size="small"
        onClick={() => {
          setShown(kind);
          setIsOpen(true);
          if (kind === 'loading') setTimeout(close, OPEN_MS);
        }}
      >
        Open the dialog
      </Button>
    </Sample>
  ));
  const actions: ReactNode = (
    <>
      <Button variant="outlined" onClick={close}>
        Not now
      </Button>
      <Button onClick={close}>File this return</Button>
    </>
  );
  return (
    <>
      <Section
        id="modal-dialog"
        title="Modal dialog"
        lead="A heading, optional help, a close icon and an optional spinner. Closes in 200 ms."
      >
        <Samples>{openers}</Samples>
        <ModalDialog
          open={isOpen}
          heading={LABELS[shownKind]}
          onClose={close}
          small={shownKind !== 'wide'}
          loading={shownKind === 'loading'}
          closable={shownKind !== 'held'}
          {...(shownKind === 'help' ? { onHelp: () => toast('success', 'Help selected'), actions } : {})}
          {...(shownKind === 'held' ? { actions: <Button onClick={close}>Close the dialog</Button> } : {})}
        >
          <Text>{TEXT}</Text>
        </ModalDialog>
      </Section>
      <NotificationSamples />
    </>
  );
}

function NotificationSamples() {
  const { show, hide } = useNotificationDialog();
  const scheduleHide = () => setTimeout(hide, OPEN_MS);
  return (
    <Section
      id="notification-dialog"
      title="Notification dialog"
      lead="Any part of the app can show and hide it. Users can’t close it while it loads or blocks closing."
    >
      <Samples>
        <Sample name="Error, the default">
          <Button
            variant="outlined"
            size="small"
            onClick={() => show({ heading: 'We couldn’t reach HMRC', content: 'Nothing was filed. Try again in a few minutes.' })}
          >
            Show the error
          </Button>
        </Sample>
        <Sample name="Loading, hidden after 3 seconds">
          <Button
            variant="outlined"
            size="small"
            onClick={() => {
              show({ status: 'loading', heading: 'Filing your return', content: 'Please keep this page open.' });
              scheduleHide();
            }}
          >
            Show the loading state
          </Button>
        </Sample>
        <Sample name="Error that blocks closing, hidden after 3 seconds">
          <Button
            variant="outlined"
            size="small"
            onClick={() => {
              show({ heading: 'You were logged out', content: 'We’ll take you to the login page.', blocksClosing: true });
              scheduleHide();
            }}
          >
            Show the blocking error
          </Button>
        </Sample>
      </Samples>
    </Section>
  );
}
